// Runs in a pid namespace of its own, where the next number can be chosen.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOrphans, killOrphans } from '../../src/control/orphans/orphans.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { RunDirectory } from '../../src/store/run-directory.js';
import { end, startAs, uptimeTicks } from '../support/reuse-number.js';

const firstNumber = 500;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-reuse-'));

function record(pid: number): RunDirectory {
  const directory = new RunDirectory(path.join(home, 'runs'), 'run_0123456789ab');
  const identity = identify(pid);
  if (identity === null) throw new Error('it is gone');
  fs.mkdirSync(directory.path, { recursive: true });
  // The session of the shim, which the command is in when it is written down.
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/(\) \S \d+ \d+) \d+/, '$1 99');
  fs.writeFileSync(directory.file('pid'), stat);
  directory.writeWhole('run.json', {
    version: 1,
    id: directory.id,
    label: 'job',
    command: 'job',
    cwd: '/',
    startedAt: new Date().toISOString(),
    identity,
    supervisor: { ...identity, startTicks: 1 },
    logs: [],
    background: null,
  });
  return directory;
}

const isAlive = (pid: number) => identify(pid) !== null;
const evidence = async () =>
  (await findOrphans({ home, projectDir: home })).map(({ evidence: [first] }) => first);

try {
  const first = await startAs(firstNumber);
  const directory = record(firstNumber);
  const atFirst = (await evidence()).map((one) => (one === 'group' ? 'session' : one));
  await end(first.leader);
  process.kill(first.job, 'SIGKILL');
  fs.writeFileSync(directory.file('exit'), '0              \n');
  // Some ticks of the start time must pass, or the two could not be told apart.
  const ticks = uptimeTicks();
  while (uptimeTicks() <= ticks + 20) await new Promise(setImmediate);
  const second = await startAs(firstNumber);
  const reused = await evidence();
  await killOrphans({ home, projectDir: home, force: true, graceMs: 0 });
  const leaderAlive = isAlive(firstNumber);
  await end(second.leader);
  const reusedSession = await evidence();
  await killOrphans({ home, projectDir: home, force: true, graceMs: 0 });
  console.log(JSON.stringify({ atFirst, reused, reusedSession, alive: [leaderAlive, isAlive(second.job)] }));
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
// The last job holds our end of a pipe; it ends with the namespace.
process.exit();
