// `npm run bench:web [-- options]`; `-- --help` prints the options.
import { launch } from '../launch.mjs';

await launch('bench/web/main.ts');
