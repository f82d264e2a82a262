import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../../src/model/facts/absence.js';
import type { ProcessFacts, Snapshot, ThreadFacts } from '../../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../../support/record-snapshot.js';

/** A recorded deadlock with one more thread that sleeps for a second. */
function besideTicker(name: string, change: (process: ProcessFacts, snapshot: Snapshot) => void = () => {}) {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  const [first] = process?.threads ?? [];
  if (process === undefined || first === undefined) throw new Error('no process');
  const ticker: ThreadFacts = {
    ...first,
    ...{ tid: 999_999, namespaceTid: 999_999, name: 'ticker', moved: true, wchan: 'hrtimer_nanosleep' },
    call: {
      ...{ at: 'call', number: 230, name: 'clock_nanosleep', args: [], repeated: false },
      timeout: { ms: 1000, absolute: false },
    },
  };
  process.threads.push(ticker);
  change(process, snapshot);
  return whySnapshot(snapshot);
}

const futexOf = ({ call }: ThreadFacts) => (isAbsent(call) || call.at !== 'call' ? undefined : call.futex);

describe('threads that wait for each other beside a ticking thread', () => {
  it('are certain where only the owner can unlock', () => {
    const [finding, ...more] = besideTicker('mutex-ab-ba-errorcheck').findings;
    expect(finding).toMatchObject({
      kind: 'deadlock',
      certainty: 'certain',
      inside: { threads: [{}, {}, { waitsFor: expect.stringMatching('the end of thread') }] },
    });
    expect(more).toEqual([]);
  });

  it('are high where another thread could unlock as well', () => {
    expect(besideTicker('mutex-ab-ba').findings).toMatchObject([{ kind: 'deadlock', certainty: 'high' }]);
  });

  it.each<[about: string, change: (process: ProcessFacts, snapshot: Snapshot) => void]>([
    [
      'a signal is handled',
      (process) => Object.assign(process, { signals: { caught: '8000', ignored: '0', blocked: '0' } }),
    ],
    [
      'a thread may be cancelled',
      (process) => Object.assign(process, { signals: { caught: '80000000', ignored: '0', blocked: '0' } }),
    ],
    ['another process may share the memory', (process) => Object.assign(process, { memorySharers: null })],
    [
      'calls could not all be read',
      ({ pid }, { absent }) => absent.push({ source: 'syscall', pid, reason: 'failed' } as never),
    ],
  ])('are not certain when %s', (_, change) => {
    for (const { certainty } of besideTicker('mutex-ab-ba-errorcheck', change).findings)
      expect(certainty).toBe('high');
  });

  it.each<[about: string, change: (thread: ThreadFacts) => void]>([
    ['ran meanwhile', (thread) => Object.assign(thread, { moved: true })],
    ['gives up after a while', ({ call }) => Object.assign(call, { timeout: { ms: 5000, absolute: false } })],
    [
      'waits for a lock that was not read',
      (thread) => Object.assign(futexOf(thread) ?? {}, { words: { absent: 'failed' } }),
    ],
  ])('are no finding when one of them %s', (_, change) => {
    const { findings } = besideTicker('mutex-ab-ba-errorcheck', ({ threads }) => {
      const waiter = threads.find((thread) => futexOf(thread)?.expected === 2);
      if (waiter === undefined) throw new Error('no waiter');
      change(waiter);
    });
    expect(findings).toEqual([]);
  });

  /** Of two threads that wait for each other's locks, one waits for the end of the other instead. */
  function overJoin(process: ProcessFacts): void {
    const [waiter, other] = process.threads.filter((thread) => futexOf(thread)?.expected === 2);
    const joiner = process.threads.find((thread) => futexOf(thread)?.private === false);
    const [call, words] = [structuredClone(joiner?.call), [other?.namespaceTid ?? 0, 0, 0, 0, 0, 0, 0, 0]];
    if (waiter === undefined || call === undefined) throw new Error('no waiter');
    waiter.call = call;
    Object.assign(futexOf(waiter) ?? {}, { words, expected: words[0] });
  }

  it('are at most medium over a join beside a thread that goes on: it may cancel what is joined', () => {
    expect(besideTicker('mutex-ab-ba', overJoin).findings).toMatchObject([
      { kind: 'deadlock', certainty: 'medium' },
    ]);
  });

  it('are high over a join where no other thread goes on', () => {
    const { verdict } = besideTicker('mutex-ab-ba', (process) => {
      process.threads.pop();
      overJoin(process);
    });
    expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'certain' });
  });

  it('are no finding of their own when all of the process is stuck', () => {
    const name = 'mutex-ab-ba-errorcheck';
    const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
    expect(whySnapshot(snapshot)).toMatchObject({
      verdict: { kind: 'deadlock', certainty: 'certain' },
      findings: [],
    });
  });
});
