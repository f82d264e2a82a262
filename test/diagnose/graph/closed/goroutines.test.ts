import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../../src/model/facts/absence.js';
import type { GoroutineFacts } from '../../../../src/model/facts/goroutines.js';
import type { ProcessFacts, ThreadFacts } from '../../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../../support/record-snapshot.js';

/** The verdict about a recorded program after one fact of it was changed. */
function verdictAfter(name: string, change: (goroutines: GoroutineFacts, process: ProcessFacts) => void) {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  if (process?.goroutines === undefined || isAbsent(process.goroutines)) throw new Error('no goroutines');
  change(process.goroutines, process);
  return whySnapshot(snapshot).verdict;
}

const wait =
  (reason: string) =>
  ({ waits }: GoroutineFacts) => {
    waits.push({ reason, count: 1 });
  };

const isNapping = ({ call }: ThreadFacts) =>
  !isAbsent(call) && call.at === 'call' && !isAbsent(call.timeout) && call.timeout?.ms === 60_000;

const set = (facts: Partial<GoroutineFacts>) => (goroutines: GoroutineFacts) => {
  Object.assign(goroutines, facts);
};

describe('all goroutines wait for each other', () => {
  test.each([
    'sync.Mutex.Lock',
    'sync.RWMutex.RLock',
    'sync.WaitGroup.Wait',
    'sync.Cond.Wait',
    'select',
    'chan send',
    'chan receive (nil chan)',
    'GC worker (idle)',
    'cleanup wait',
  ])('another goroutine in %s changes nothing', (reason) => {
    expect(verdictAfter('go-ab-ba', wait(reason))).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test.each<[about: string, change: (goroutines: GoroutineFacts, process: ProcessFacts) => void]>([
    ['waits for the network', wait('IO wait')],
    ['sleeps', wait('sleep')],
    ['waits for a reason of a version to come', wait('something new')],
    ['runs', set({ running: 1 })],
    ['is in a call', set({ inCalls: 1 })],
    ['was not looked at', set({ unread: 1 })],
  ])('but not while one %s', (_, change) => {
    expect(verdictAfter('go-ab-ba', change).kind).toBe('unknown');
  });

  test('nor when a second thread naps: the first is the monitor of the runtime', () => {
    const verdict = verdictAfter('go-ab-ba', (_, { threads }) => {
      const monitor = threads.find(isNapping);
      if (monitor !== undefined) threads.push({ ...monitor, tid: monitor.tid + 1000 });
    });
    expect(verdict.kind).toBe('unknown');
  });

  test('nor when a thread ran meanwhile: then the facts are of several moments', () => {
    const verdict = verdictAfter('go-ab-ba', (_, { threads }) => {
      for (const thread of threads) if (isNapping(thread)) thread.moved = true;
    });
    expect(verdict.kind).toBe('unknown');
  });

  test('nor when there are only goroutines of the runtime', () => {
    const verdict = verdictAfter('go-ab-ba', (goroutines) => {
      goroutines.waits = goroutines.waits.filter(({ reason }) => reason !== 'semacquire');
    });
    expect(verdict.kind).toBe('unknown');
  });

  test('reports what goroutines wait for, most frequent first', () => {
    const { evidence } = verdictAfter('go-ab-ba', ({ waits }) => {
      waits.push({ reason: 'sync.Mutex.Lock', count: 1300 });
    });
    expect(evidence).toContain(
      'its goroutines: 1,300 in sync.Mutex.Lock, 2 in semacquire, none in a call, none running',
    );
  });

  test('a timer for which no goroutine sleeps may be a leftover, and the evidence shows it', () => {
    const leftover = /no goroutine sleeps: .* or it was cancelled/;
    expect(verdictAfter('go-after-func', () => {}).evidence.join()).toMatch(leftover);
    expect(verdictAfter('go-sleep', () => {}).evidence.join()).not.toMatch(leftover);
  });

  test('goroutines that were not or could not be read are reported', () => {
    const part = verdictAfter('go-many', () => {});
    expect(part.evidence.join()).toMatch(/without 2,0\d\d that were not read/);
    const unsupported = verdictAfter('go-ab-ba', (_, process) => {
      process.goroutines = { absent: 'unsupported' };
    });
    expect(unsupported.kind).toBe('unknown');
    expect(unsupported.evidence.join()).toContain('not to be found in its memory');
  });

  test('a signal is waited for only while no goroutine is in another call or waits for I/O', () => {
    expect(verdictAfter('go-signal', () => {}).kind).toBe('event');
    expect(verdictAfter('go-signal', set({ inCalls: 2 })).kind).toBe('unknown');
    expect(verdictAfter('go-signal', wait('IO wait')).kind).toBe('unknown');
  });
});
