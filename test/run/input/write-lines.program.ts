import path from 'node:path';
import { RunInput } from '../../../src/run/input/run-input.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

/** Writes numbered lines to a run, from one number to before another, and says each that it is sure of. */
const [place = '', from = '', to = ''] = process.argv.slice(2);
const input = new RunInput(new RunDirectory(path.dirname(place), path.basename(place)), 'pipe');
input.ring();
for (let at = Number(from); at < Number(to); at += 1) {
  input.write(Buffer.from(`${at} ${'x'.repeat(at % 5000)}\n`), `request ${at}`);
  process.stdout.write(`${at}\n`);
}
