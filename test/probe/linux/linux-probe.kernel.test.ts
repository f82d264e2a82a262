import { describe, expect, test } from 'vitest';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { probeContract, processOf, snapshotOf } from '../contract.js';
import { startProgram, stateOf, untilNamed } from '../start-program.js';

probeContract(linuxProbe, { match: 'same' });

test('a process that becomes a zombie between the two passes of a snapshot has ended', async () => {
  const { line } = await startProgram(['sh', '-c', 'sleep 1000 & echo $!; exec sleep 1000'], { line: true });
  const pid = Number(line);
  await untilNamed(pid, 'sleep');
  // The gap is asked for when the first pass is over.
  const killed = {
    get gapMs() {
      process.kill(pid, 'SIGKILL');
      while (stateOf(pid) !== 'Z');
      return 80;
    },
  };
  const snapshot = await linuxProbe.snapshot(pid, killed);
  expect(processOf(snapshot, pid)).toMatchObject({ state: 'S', changed: 'ended' });
  expect(processOf(snapshot, pid).threads[0]?.laterState).toBe('Z');
});

const id = 'run_0123456789ab';
/** sleep adds up its arguments. */
const longArguments = Array.from({ length: 100 }, () => '0.001');

describe('our run id is taken from the environment, and from nowhere else', () => {
  test('it is the first variable, and the command line is longer than the environment', async () => {
    // env -i keeps the order: nothing stands before it.
    const { pid } = await startProgram([
      'env',
      '-i',
      `UNSTUCK_RUN_ID=${id}`,
      'sleep',
      '1000',
      ...longArguments,
    ]);
    await untilNamed(pid, 'sleep');
    expect(processOf(await snapshotOf(linuxProbe, pid), pid).runId).toBe(id);
  });

  test('an argument that looks like a run id is ignored', async () => {
    const { pid } = await startProgram(['sh', '-c', 'sleep 1000; :', `UNSTUCK_RUN_ID=${id}`]);
    await untilNamed(pid, 'sh');
    expect(processOf(await snapshotOf(linuxProbe, pid), pid).runId).toBeNull();
  });
});
