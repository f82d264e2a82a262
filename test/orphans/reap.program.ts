// Stops the orphans that the options name, and prints what became of them.
import { killOrphans } from '../../src/control/orphans/orphans.js';

console.log(JSON.stringify(await killOrphans(JSON.parse(process.argv[2] ?? ''))));
