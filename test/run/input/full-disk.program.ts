import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RunInput } from '../../../src/run/input/run-input.js';
import { launchBackground } from '../../../src/run/launch/launch-background.js';
import { RunDirectory } from '../../../src/store/run-directory.js';
import { newRunId } from '../../../src/store/run-ids.js';
import { known } from '../../support/known.js';

/** Writes to a run on a disk that is full for a while, then lets it print more than fits. Says what came of it. */
const [disk = ''] = process.argv.slice(2);
const id = newRunId();
const directory = RunDirectory.create(id, path.join(disk, 'runs'));
const log = directory.createLog('output.log', 'both', '');
const script = 'read -r line; echo "$line" | wc -c; read -r line; head -c 2000000 /dev/zero; exit 5';
const env = { PATH: process.env.PATH };
launchBackground({ id, command: ['sh', '-c', script], cwd: '/', env, directory, log, input: 'pipe' });
const input = new RunInput(directory, 'pipe');

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 20_000 && !condition(); tries += 1) await delay(5);
}

await until(() => known(directory.readLeader()) !== '');
const filler = path.join(disk, 'filler');
// A little room: enough to begin with, not to end.
fs.writeFileSync(filler, Buffer.alloc(380 * 1024));
const line = Buffer.alloc(200_000, 'y');
line[line.length - 1] = 10;
let refused = '';
try {
  input.write(line, 'a');
} catch (error) {
  refused = (error as { code: string }).code;
}
const keptAfterRefusal = fs.statSync(directory.file('input')).size;
fs.unlinkSync(filler);
input.write(line, 'a');
input.write(line, 'a');
const output = () => fs.readFileSync(directory.file('output.log'), 'latin1');
await until(() => output() !== '');
const told = output();
const incompleteBefore = known(directory.outputLost) !== null;
input.write(Buffer.from('\n'), 'b');
await until(() => known(directory.readExit()) !== null);
await until(() => known(directory.outputLost) !== null);
input.forget();
const exit = known(directory.readExit())?.code;
const isLogIncomplete = known(directory.outputLost) !== null;
process.stdout.write(
  JSON.stringify({ refused, keptAfterRefusal, told, incompleteBefore, exit, isLogIncomplete }),
);
