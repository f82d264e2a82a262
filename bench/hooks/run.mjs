// `npm run bench:hooks [-- options]`; `-- --help` prints the options.
import { launch } from '../launch.mjs';

await launch('bench/hooks/main.ts');
