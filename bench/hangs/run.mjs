// `npm run bench:hangs [-- options]`; `-- --help` tells which.
import { launch } from '../launch.mjs';

await launch('bench/hangs/main.ts');
