// `npm run bench:fleet [-- options]`; `-- --help` prints the options.
import { launch } from '../launch.mjs';

await launch('bench/fleet/main.ts');
