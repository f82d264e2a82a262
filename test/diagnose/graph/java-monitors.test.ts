import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import type { Snapshot, ThreadFacts } from '../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../support/record-snapshot.js';

function load(name: string): Snapshot {
  return parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
}

const threadsOf = (snapshot: Snapshot): ThreadFacts[] => snapshot.processes.flatMap(({ threads }) => threads);
const waitersOf = (snapshot: Snapshot): ThreadFacts[] =>
  threadsOf(snapshot).filter(({ monitor }) => monitor !== undefined);
const short = (snapshot: Snapshot): string => {
  const { kind, certainty } = whySnapshot(snapshot).verdict;
  return `${kind}, ${certainty}`;
};

describe('Java monitors', () => {
  test('a cycle stays proven while its threads wake up to check again', () => {
    const snapshot = load('java-deadlock');
    for (const thread of waitersOf(snapshot))
      Object.assign(thread, { moved: true, ranMs: 0.1, laterState: 'S' });
    expect(short(snapshot)).toBe('deadlock, certain');
  });

  test('half of a cycle is no cycle', () => {
    const snapshot = load('java-deadlock');
    delete waitersOf(snapshot)[0]?.monitor;
    expect(whySnapshot(snapshot).verdict.kind).not.toBe('deadlock');
  });

  test('beside threads that go on, a cycle is strong and no proof that all is over', () => {
    const snapshot = load('java-monitor-circle');
    const sleeper = load('java-monitor-owner-sleeps');
    const process = snapshot.processes[0];
    const other = threadsOf(sleeper).find(({ tid }) =>
      waitersOf(sleeper).some((one) => one.monitor?.owner === tid),
    );
    if (process === undefined || other === undefined) throw new Error('the recorded snapshots have changed');
    process.threads.push({ ...other, tid: 999_999, namespaceTid: 999_999 });
    expect(short(snapshot)).toBe('deadlock, high');
  });

  test('a thread of the machine that is in a monitor of the program counts', () => {
    const snapshot = load('java-monitor-owner-sleeps');
    const owners = new Set(waitersOf(snapshot).map(({ monitor }) => monitor?.owner));
    const owner = threadsOf(snapshot).find(({ tid }) => owners.has(tid));
    Object.assign(owner ?? {}, { name: 'Finalizer' });
    expect(short(snapshot)).toBe('timer, high');
  });

  test('a waiter for a monitor is reported with the thread that is in it', () => {
    const snapshot = load('java-monitor-owner-sleeps');
    const [waiter] = waitersOf(snapshot);
    const { evidence } = whySnapshot(snapshot).verdict;
    expect(evidence.at(-1)).toMatch(
      /\(java\) waits to enter the Java monitor at 0x\w+, which thread \d+ \(Thread-0\) holds/,
    );
    expect(evidence.at(-1)).toContain(`thread ${waiter?.monitor?.owner}`);
  });

  test('a file that names an owner that does not exist proves nothing', () => {
    const snapshot = load('java-deadlock');
    for (const { monitor } of waitersOf(snapshot)) Object.assign(monitor ?? {}, { owner: 1 });
    expect(whySnapshot(snapshot).verdict.kind).toBe('unknown');
  });
});

describe('locks of java.util.concurrent', () => {
  test('a cycle stays proven while its threads are woken and wait again', () => {
    for (const name of ['java-locks', 'java-read-write-locks', 'java-lock-and-monitor']) {
      const snapshot = load(name);
      for (const thread of waitersOf(snapshot))
        Object.assign(thread, { moved: true, ranMs: 0.1, laterState: 'S' });
      expect([name, short(snapshot)]).toEqual([name, 'deadlock, certain']);
    }
  });

  test('half of a cycle is no proof', () => {
    const snapshot = load('java-locks');
    delete waitersOf(snapshot)[0]?.monitor;
    expect(short(snapshot)).not.toBe('deadlock, certain');
  });

  test('beside a thread that goes on, and might interrupt the wait, a cycle is no proof that all is over', () => {
    const snapshot = load('java-locks');
    const other = threadsOf(load('java-try-locks')).find(({ name }) => name === 'Thread-0');
    const process = snapshot.processes[0];
    if (process === undefined || other === undefined) throw new Error('the recorded snapshots have changed');
    process.threads.push({ ...other, tid: 999_999, namespaceTid: 999_999 });
    expect(short(snapshot)).toBe('deadlock, high');
  });

  test('tries that end by themselves name no owner', () => {
    expect(waitersOf(load('java-try-locks'))).toEqual([]);
  });

  test('a waiter for a lock is reported with the thread that holds it', () => {
    const { verdict } = whySnapshot(load('java-lock-owner-sleeps'));
    expect(verdict.evidence.at(-1)).toMatch(
      /\(java\) waits for the Java ReentrantLock at 0x\w+, which thread \d+ \(Thread-0\) holds, in both reads/,
    );
  });

  test('many waiters for monitors and locks of the same thread are summed up', () => {
    const snapshot = load('java-lock-owner-sleeps');
    const [waiter] = waitersOf(snapshot);
    const process = snapshot.processes[0];
    if (process === undefined || waiter?.monitor === undefined) throw new Error('the snapshot has changed');
    const { type: _, ...monitor } = waiter.monitor;
    for (const [index, one] of [waiter.monitor, waiter.monitor, monitor].entries())
      process.threads.push({ ...waiter, monitor: one, tid: 900_001 + index, namespaceTid: 900_001 + index });
    const { verdict } = whySnapshot(snapshot);
    expect(verdict.evidence.at(-1)).toBe('and 2 more wait for Java monitors and locks of that thread');
  });
});
