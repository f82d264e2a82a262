import { describe, expect, test } from 'vitest';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { probeContract, processOf, snapshotOf } from '../contract.js';
import { startProgram, untilNamed, untilState } from '../start-program.js';

probeContract(linuxProbe, { match: 'same' });

test('one that dies between the looks and is not collected has ended', async () => {
  const { line } = await startProgram(['sh', '-c', 'sleep 1000 & echo $!; exec sleep 1000'], { line: true });
  const pid = Number(line);
  await untilNamed(pid, 'sleep');
  const taking = linuxProbe.snapshot(pid, { gapMs: 300 });
  process.kill(pid, 'SIGKILL');
  await untilState(pid, 'Z');
  const snapshot = await taking;
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

  test('an argument that looks like it is none', async () => {
    const { pid } = await startProgram(['sh', '-c', 'sleep 1000; :', `UNSTUCK_RUN_ID=${id}`]);
    await untilNamed(pid, 'sh');
    expect(processOf(await snapshotOf(linuxProbe, pid), pid).runId).toBeNull();
  });
});
