// `npm run bench:hangs [-- --quick] [-- --only NAME] [-- --judge NAME] [-- --save]`
import { launch } from '../launch.mjs';

await launch('bench/hangs/main.ts');
