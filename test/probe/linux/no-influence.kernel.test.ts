import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { takeSnapshots } from '../../../src/probe/linux/snapshot/take-snapshots.js';
import { patienceMs } from '../../support/patience.js';
import { snapshotOf } from '../contract.js';
import { program, python, startProgram, stateOf, untilState } from '../start-program.js';

const threads = 12;
const snapshots = 200;
/** Snapshots that are taken together share the search through all processes, which is most of the cost. */
const atOnce = 20;

/** Both kinds of context switches and the times scheduled in, of every thread. */
function switches(pid: number): Record<string, string> {
  const counters: Record<string, string> = {};
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${tid}/status`, 'utf8');
    const [voluntary, involuntary] = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\t(\d+)$/gm)];
    const schedstat = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8').trim();
    counters[tid] = `${voluntary?.[1]} ${involuntary?.[1]} ${schedstat}`;
  }
  return counters;
}

async function startQuiet(): Promise<number> {
  const { pid } = await startProgram([python ?? '', program('threads.py'), String(threads)], { line: true });
  await untilState(pid, 'S');
  const allSleep = () => readdirSync(`/proc/${pid}/task`).every((tid) => stateOf(pid, Number(tid)) === 'S');
  let before = switches(pid);
  await expect
    .poll(
      () => {
        const last = before;
        before = switches(pid);
        // A thread that waits for a CPU does not run either, but it will.
        return allSleep() && JSON.stringify(last) === JSON.stringify(before);
      },
      { interval: 200, timeout: patienceMs },
    )
    .toBe(true);
  return pid;
}

test.skipIf(python === null)('many snapshots do not make any thread of the target run', async () => {
  const pid = await startQuiet();
  const before = switches(pid);
  expect(Object.keys(before)).toHaveLength(threads);
  for (let taken = 0; taken < snapshots; taken += atOnce) {
    const together = takeSnapshots(Array<number>(atOnce).fill(pid), { gapMs: 1 });
    for (const { processes } of await Promise.all(together))
      expect(processes[0]?.threads).toHaveLength(threads);
  }
  expect(switches(pid)).toEqual(before);
});

test.skipIf(python === null)('and the counters would show it', async () => {
  const pid = await startQuiet();
  const before = switches(pid);
  process.kill(pid, 'SIGSTOP');
  await untilState(pid, 'T');
  process.kill(pid, 'SIGCONT');
  await untilState(pid, 'S');
  expect(switches(pid)).not.toEqual(before);
});

test.skipIf(python === null)('nothing of the target is left open afterwards', async () => {
  const pid = await startQuiet();
  const mine = () => readdirSync('/proc/self/fd').length;
  await snapshotOf(linuxProbe, pid);
  const before = mine();
  for (let taken = 0; taken < 20; taken += 1) await linuxProbe.snapshot(pid, { gapMs: 1 });
  await expect(linuxProbe.snapshot(4_194_304)).rejects.toThrow();
  expect(mine()).toBeLessThanOrEqual(before);
});
