// `npm run bench [-- --quick] [-- --save] [-- sampling why start growth run background]`: builds what it measures, then measures.
import { launch } from './launch.mjs';

await launch('bench/main.ts');
