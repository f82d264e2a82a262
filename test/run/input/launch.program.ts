import path from 'node:path';
import type { InputKind } from '../../../src/model/run/background.js';
import { launchBackground } from '../../../src/run/launch/launch-background.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

/** Starts a command in the background in a directory that is there already, says its shim, and waits for its own end. */
const [place = '', input = '', env = '', ...command] = process.argv.slice(2);
const id = path.basename(place);
const directory = new RunDirectory(path.dirname(place), id);
const log = { file: 'output.log', stream: 'both', start: 0 } as const;
const { shim } = launchBackground({
  id,
  command,
  cwd: '/',
  env: JSON.parse(env),
  directory,
  log,
  input: input as InputKind,
});
process.stdout.write(`${shim}\n`);
setInterval(() => {}, 60_000);
