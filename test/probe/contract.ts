import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { isAbsent } from '../../src/model/facts/absence.js';
import { type IdentityMatch, matchIdentity } from '../../src/model/facts/identity.js';
import { type ProcessFacts, type Snapshot, snapshotVersion } from '../../src/model/facts/snapshot.js';
import { Failure } from '../../src/model/failure.js';
import type { Probe, SnapshotOptions } from '../../src/probe/probe.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { askUntil } from '../support/ask-until.js';
import { patienceMs } from '../support/patience.js';
import { ended, program, python, startProgram, startSleeper, untilState } from './start-program.js';

/** Above every pid_max (PID_MAX_LIMIT). */
const nobody = 4_194_304;

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const result = await promise.then(
    () => new Error('it did not fail'),
    (error) => error,
  );
  if (result instanceof Failure) return result;
  throw result;
}

export function processOf(snapshot: Snapshot, pid: number): ProcessFacts {
  const found = snapshot.processes.find((process) => process.pid === pid);
  if (found === undefined) throw new Error(`${pid} is not in the snapshot`);
  return found;
}

/** Takes a snapshot that keeps the promises all of them make: it can be saved, loaded and judged. */
export async function snapshotOf(
  probe: Probe,
  pid: number,
  options: SnapshotOptions = {},
): Promise<Snapshot> {
  const snapshot = await probe.snapshot(pid, options);
  expect(parseSnapshot(JSON.stringify(snapshot), 'live')).toEqual(snapshot);
  expect(snapshot.processes[0]?.pid).toBe(pid);
  return snapshot;
}

/** What every probe must do, whatever it reads. `match`: what its identities can say about the same process. */
export function probeContract(probe: Probe, { match }: { match: IdentityMatch }): void {
  describe(`the ${probe.name} probe`, () => {
    test('no such process is a Failure with a hint', async () => {
      const failure = await failureOf(probe.snapshot(nobody));
      expect(failure).toMatchObject({ code: 'no-such-process', exitCode: 1 });
      expect(failure.message).toContain(String(nobody));
      expect(failure.hint).not.toBe('');
    });

    test('a process that has just ended is no such process', async () => {
      const { pid, child } = await startProgram(['true']);
      await ended(child);
      expect((await failureOf(probe.snapshot(pid))).code).toBe('no-such-process');
    });

    test('our own sleeping child, with its parent', async () => {
      const { pid } = await startSleeper();
      const snapshot = await snapshotOf(probe, pid);
      expect(snapshot).toMatchObject({
        format: 'unstuck-snapshot',
        version: snapshotVersion,
        probe: probe.name,
        targetPid: pid,
      });
      expect(snapshot.reader).toMatchObject({ pid: process.pid, uid: process.getuid?.() });
      expect(snapshot.targetLineage[0]).toBe(process.pid);
      expect(snapshot.targetLineage.slice(1)).toEqual(snapshot.reader.lineage);
      expect(snapshot.processes.filter(({ inTree }) => inTree)).toHaveLength(1);
      expect(processOf(snapshot, pid)).toMatchObject({
        parent: process.pid,
        group: pid,
        inTree: true,
        name: 'sleep',
        command: 'sleep 1000',
        uid: process.getuid?.(),
        state: 'S',
        kernelThread: false,
        changed: null,
        children: [],
      });
      expect(processOf(snapshot, pid).threads.map(({ tid, state }) => [tid, state])).toEqual([[pid, 'S']]);
      expect(snapshot.gapMs).toBeGreaterThan(0);
    });

    test('open files with their kind and direction', async () => {
      const { pid } = await startSleeper();
      // On a busy machine lsof may be too late.
      const { fds } = await askUntil(
        async () => processOf(await snapshotOf(probe, pid), pid),
        ({ fds }) => !isAbsent(fds),
      );
      const files = isAbsent(fds) ? [] : fds;
      expect(files.find(({ fd }) => fd === 0)).toMatchObject({ kind: 'null', read: true });
      expect(files.find(({ fd }) => fd === 1)).toMatchObject({ kind: 'socket' });
    });

    test('a tree: parent first, then its child', async () => {
      const { pid } = await startProgram(['sh', '-c', 'echo ready; sleep 1000; :'], { line: true });
      let snapshot = await snapshotOf(probe, pid);
      await expect
        .poll(async () => {
          snapshot = await snapshotOf(probe, pid);
          return snapshot.processes.map(({ name }) => name);
        })
        .toEqual(['sh', 'sleep']);
      const [shell, sleep] = snapshot.processes as [ProcessFacts, ProcessFacts];
      expect(shell.children).toEqual([sleep.pid]);
      expect(sleep).toMatchObject({ parent: pid, group: pid, inTree: true });
    });

    test.skipIf(python === null)('a zombie is reported as a zombie, with certainty', async () => {
      const { line } = await startProgram([python ?? '', program('zombie.py')], { line: true });
      const zombie = Number(line);
      await untilState(zombie, 'Z');
      const snapshot = await snapshotOf(probe, zombie);
      expect(processOf(snapshot, zombie).state).toBe('Z');
      expect(whySnapshot(snapshot).verdict).toMatchObject({
        kind: 'zombie',
        certainty: 'certain',
        pid: zombie,
      });
    });

    test('a stopped process is stopped; whether it stays so shows only later', async () => {
      const { pid } = await startSleeper();
      process.kill(pid, 'SIGSTOP');
      await untilState(pid, 'T');
      const snapshot = await snapshotOf(probe, pid);
      expect(processOf(snapshot, pid).state).toBe('T');
      expect(processOf(snapshot, pid).threads[0]?.laterState).toBe('T');
      expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'stopped', certainty: 'high', pid });
    });

    test('a process that ends during a snapshot is marked as ended, or there is a Failure', async () => {
      const { pid, child } = await startSleeper();
      const taking = probe.snapshot(pid, { gapMs: 300 });
      process.kill(pid, 'SIGKILL');
      await ended(child);
      const result = await taking.catch((error) => error);
      if (result instanceof Failure) expect(['no-such-process', 'process-ended']).toContain(result.code);
      else expect(processOf(result, pid).changed).toBe('ended');
    });

    test('a snapshot of our own process leaves out the helpers of the snapshot', async () => {
      const { pid } = await startSleeper();
      const snapshot = await snapshotOf(probe, process.pid);
      const inside = snapshot.processes.filter(({ inTree }) => inTree).map((one) => one.pid);
      expect(inside).toContain(pid);
      expect(snapshot.processes.map(({ name }) => name)).not.toContain('ps');
      expect(snapshot.processes.map(({ name }) => name)).not.toContain('lsof');
    });

    test('identity: the same process matches, another process, an ended process and no process do not', async () => {
      const [first, second] = [await startSleeper(), await startSleeper()];
      const identity = probe.identify(first.pid);
      if (identity === null) throw new Error('no identity');
      expect(identity.pid).toBe(first.pid);
      expect(matchIdentity(identity, probe.identify(first.pid))).toBe(match);
      expect(matchIdentity(identity, probe.identify(second.pid))).toBe('different');
      expect(probe.identify(nobody)).toBeNull();
      process.kill(first.pid, 'SIGKILL');
      await ended(first.child);
      expect(matchIdentity(identity, probe.identify(first.pid))).toBe('different');
    });

    test('an abort ends the wait at once', async () => {
      const { pid } = await startSleeper();
      const began = performance.now();
      const taking = probe.snapshot(pid, { gapMs: 10 * patienceMs, signal: AbortSignal.timeout(200) });
      await expect(taking).rejects.toMatchObject({
        name: expect.stringMatching(/^(AbortError|TimeoutError)$/),
      });
      expect(performance.now() - began).toBeLessThan(patienceMs);
    });

    test('what it may not read is data, and then nothing hidden is certain', async () => {
      const { pid } = await startSleeper();
      const snapshot = await snapshotOf(probe, pid, { withhold: ['syscall', 'mem'] });
      expect(snapshot.absent.filter((one) => one.pid === pid).map(({ source }) => source)).toContain(
        'syscall',
      );
      expect(isAbsent(processOf(snapshot, pid).threads[0]?.call)).toBe(true);
      expect(whySnapshot(snapshot).verdict.certainty).not.toBe('certain');
      expect(
        whySnapshot(snapshot)
          .absent.map(({ fact }) => fact)
          .join(),
      ).toContain('system calls');
    });

    test('it reports capabilities with a name, a status and a finding', async () => {
      const capabilities = await probe.capabilities();
      expect(capabilities.length).toBeGreaterThan(0);
      for (const { name, status, finding } of capabilities) {
        expect([name, finding]).not.toContain('');
        expect(['yes', 'partly', 'no']).toContain(status);
      }
    });
  });
}
