// `npm run test:agents [-- options]`; `-- --help` prints the options.
import { launch } from '../launch.mjs';

await launch('bench/agents/main.ts');
