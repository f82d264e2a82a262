// `npm run bench:speed [-- --quick] [-- part …]`, or `-- --from FILE…`: the ratios of saved results, nothing is measured.
import { launch } from '../launch.mjs';

await launch('bench/speed/main.ts');
