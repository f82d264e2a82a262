import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { Failure } from '../../../src/model/failure.js';
import type { VerdictKind } from '../../../src/model/verdict.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { askUntil } from '../../support/ask-until.js';
import { patienceMs } from '../../support/patience.js';
import { processOf, snapshotOf } from '../contract.js';
import { ended, isRoot, program, python, startProgram, stateOf, untilState } from '../start-program.js';

/** Large trees cost bounded CPU time, which does not depend on what else runs on the machine. */
const cpuMsMax = 10_000;

async function cheaply<T>(work: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(cpuMsMax);
  return result;
}

function start(name: string, argument: string) {
  return startProgram([python ?? '', program(name), argument], { line: true });
}

/** One of many threads or children may still be on its way to its wait. */
async function kindOnceAtRest(pid: number): Promise<VerdictKind> {
  const ask = async () => whySnapshot(await snapshotOf(linuxProbe, pid)).verdict.kind;
  return askUntil(ask, (kind) => kind !== 'working' && kind !== 'starved');
}

describe.skipIf(python === null)('a lot of everything', () => {
  test('2,000 threads, each with its own wait', async () => {
    const { pid, line } = await start('threads.py', '2000');
    expect(Number(line)).toBe(2000);
    await untilState(pid, 'S');
    const everyThread = () =>
      readdirSync(`/proc/${pid}/task`).every((tid) => stateOf(pid, Number(tid)) === 'S');
    await expect.poll(everyThread).toBe(true);
    const snapshot = await cheaply(() => snapshotOf(linuxProbe, pid));
    const { threads } = processOf(snapshot, pid);
    expect(threads).toHaveLength(2000);
    expect(new Set(threads.map(({ tid }) => tid)).size).toBe(2000);
    const calls = new Set(
      threads.map(({ call }) => (isAbsent(call) || call.at !== 'call' ? call : call.name)),
    );
    for (const name of ['read', 'futex', 'clock_nanosleep', 'poll']) expect(calls).toContain(name);
    expect(await kindOnceAtRest(pid)).toBe('timer');
  });

  test('10,000 open files in an event loop', async () => {
    const { pid, line } = await start('fds.py', '10000');
    await untilState(pid, 'S');
    const snapshot = await cheaply(() => snapshotOf(linuxProbe, pid));
    const { fds } = processOf(snapshot, pid);
    expect(isAbsent(fds) ? 0 : fds.length).toBe(Number(line));
    const { verdict } = await cheaply(() => whySnapshot(snapshot));
    expect(verdict.pid).toBe(pid);
  });

  test('1,000 children', async () => {
    const { pid } = await start('children.py', '1000');
    await untilState(pid, 'S');
    const snapshot = await cheaply(() => snapshotOf(linuxProbe, pid));
    expect(processOf(snapshot, pid).children).toHaveLength(1000);
    expect(snapshot.processes.filter(({ inTree, parent }) => inTree && parent === pid)).toHaveLength(1000);
    expect(await kindOnceAtRest(pid)).toBe('timer');
  });
});

describe('processes that do not hold still', () => {
  test('a process that calls exec again and again', async () => {
    const { pid, child } = await startProgram(['sh', program('exec-loop.sh')]);
    let changes = 0;
    const untilMs = performance.now() + patienceMs;
    // It may get no CPU between the two passes of a look.
    const isEnough = () => changes > 0 || performance.now() > untilMs;
    for (let look = 0; look < 30 || !isEnough(); look += 1) {
      const snapshot = await snapshotOf(linuxProbe, pid, { gapMs: 20 });
      expect(['working', 'starved']).toContain(whySnapshot(snapshot).verdict.kind);
      if (processOf(snapshot, pid).changed !== null) changes += 1;
      expect(processOf(snapshot, pid).changed).not.toBe('ended');
    }
    expect(changes).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
  });

  test('processes that die while they are read: an answer or a Failure, 60 times', async () => {
    const outcomes = new Map<string, number>();
    for (let look = 0; look < 60; look += 1) {
      // The argument spreads the moment of the end over the time of a look.
      const { pid, child } = await startProgram(['sh', '-c', `for i in $(seq ${look * 10}); do :; done`]);
      let outcome: string;
      try {
        const snapshot = await snapshotOf(linuxProbe, pid, { gapMs: 5 });
        outcome = processOf(snapshot, pid).changed ?? whySnapshot(snapshot).verdict.kind;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        outcome = error.code;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await ended(child);
    }
    const expected = [
      'no-such-process',
      'process-ended',
      'ended',
      'exec',
      'grew',
      'working',
      'zombie',
      'starved',
      'timer',
      'event',
      'unknown',
      'lingering',
    ];
    expect([...outcomes.keys()].filter((outcome) => !expected.includes(outcome))).toEqual([]);
  });
});

describe('processes of another kind', () => {
  test.skipIf(!existsSync('/proc/2/stat') || !readFileSync('/proc/2/comm', 'utf8').startsWith('kthreadd'))(
    'a kernel thread',
    async () => {
      const snapshot = await snapshotOf(linuxProbe, 2, { gapMs: 20 });
      expect(processOf(snapshot, 2)).toMatchObject({
        kernelThread: true,
        name: 'kthreadd',
        command: '[kthreadd]',
        fds: isRoot ? [] : expect.anything(),
      });
      expect(whySnapshot(snapshot).verdict.certainty).not.toBe('certain');
    },
  );

  test('pid 1, whose children are half of the machine', async () => {
    const snapshot = await snapshotOf(linuxProbe, 1, { gapMs: 20 });
    expect(snapshot.processes.length).toBeGreaterThan(1);
    expect(snapshot.targetLineage).toEqual([]);
    expect(whySnapshot(snapshot).target.pid).toBe(1);
    if (!isRoot) expect(isAbsent(processOf(snapshot, 1).fds)).toBe(true);
  });

  test('ourselves: busy with the answer, and nothing else', async () => {
    const { target, verdict } = whySnapshot(await snapshotOf(linuxProbe, process.pid));
    expect(target.pid).toBe(process.pid);
    // Where CPUs are scarce, the answer has to wait for one.
    expect(['working', 'starved']).toContain(verdict.kind);
  });
});

describe.skipIf(python === null)('a name may be anything', () => {
  test.each([
    ['a parenthesis', Buffer.from('a) R 1 (b')],
    ['a newline', Buffer.from('two\nlines')],
    ['no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x29, 0x20, 0x5a])],
    ['an escape sequence', Buffer.from('\x1b[31mred\x1b[0m')],
    ['nothing but spaces', Buffer.from('   ')],
  ])('%s', async (_, name) => {
    const { pid } = await start('named.py', name.toString('hex'));
    await untilState(pid, 'S');
    const snapshot = await snapshotOf(linuxProbe, pid);
    expect(processOf(snapshot, pid)).toMatchObject({
      name: name.toString('utf8'),
      state: 'S',
      parent: process.pid,
    });
    const { verdict } = whySnapshot(snapshot);
    expect(verdict.pid).toBe(pid);
    expect(JSON.stringify([verdict.reason, verdict.evidence, verdict.command])).not.toMatch(
      /\\u001b|[\x00-\x1f]/,
    );
  });
});
