import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { lastingHaltMs } from '../../src/diagnose/graph/closed/halted.js';
import type { ProcessFacts, Snapshot, ThreadFacts } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

function load(name: string): Snapshot {
  return parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
}

const lasting: Partial<ThreadFacts> = { offCpuMs: lastingHaltMs };

function stoppedWith(change: Partial<ThreadFacts>, process: Partial<ProcessFacts> = {}) {
  const snapshot = load('stopped-by-sigstop');
  for (const facts of snapshot.processes.filter(({ inTree }) => inTree))
    for (const thread of facts.threads.filter(({ laterState }) => laterState === 'T')) {
      Object.assign(thread, change);
      Object.assign(facts, process);
    }
  return whySnapshot(snapshot).verdict;
}

describe('stopped', () => {
  test('a moment ago: what stopped it may let it go again', () => {
    expect(stoppedWith({})).toMatchObject({ kind: 'stopped', certainty: 'high' });
  });

  test('for longer than any pacing lasts', () => {
    expect(stoppedWith(lasting)).toMatchObject({ kind: 'stopped', certainty: 'certain' });
  });

  test.each<[string, Partial<ThreadFacts>]>([
    ['since when is not known', { offCpuMs: null }],
    ['whether it ran is not known', { ...lasting, moved: null }],
    ['by a debugger', { ...lasting, state: 't', laterState: 't' }],
  ])('never certain: %s', (_name, change) => {
    expect(stoppedWith(change).certainty).not.toBe('certain');
  });

  test.each<[string, Partial<ThreadFacts>]>([
    ['only at the second, as what is traced is for an instant', { state: 'S' }],
    ['only at the first', { laterState: 'S' }],
    ['at both, and ran in between', { moved: true }],
  ])('not at all: %s', (_name, change) => {
    expect(stoppedWith({ ...lasting, ...change }).kind).not.toBe('stopped');
  });

  test('by the terminal, in the background: let go, it would be stopped again', () => {
    const terminal = { number: 34816, foregroundGroup: 1 };
    expect(stoppedWith({}, { exitStatus: 21, terminal }).certainty).toBe('certain');
    // The same signal by hand, in the foreground.
    expect(stoppedWith({}, { exitStatus: 21 }).certainty).toBe('high');
    // Stopped by whatever signal, which the shell has collected.
    expect(stoppedWith({}, { exitStatus: 0, terminal }).certainty).toBe('high');
  });

  test('below a parent with a timer, which may be what paces it', () => {
    const snapshot = load('paced-child');
    const child = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
    for (const thread of child?.threads ?? [])
      Object.assign(thread, { state: 'T', laterState: 'T', moved: false, ...lasting });
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'stopped', certainty: 'high' });
  });
});

describe('frozen', () => {
  function frozenWith(change: Partial<ThreadFacts>) {
    const snapshot = load('frozen-v2');
    for (const { cgroup, threads } of snapshot.processes)
      if (cgroup?.frozen === true) for (const thread of threads) Object.assign(thread, change);
    return whySnapshot(snapshot).verdict;
  }

  test('is proven as a stop is: once it has lasted', () => {
    expect(frozenWith({})).toMatchObject({ kind: 'frozen', certainty: 'high' });
    expect(frozenWith(lasting)).toMatchObject({ kind: 'frozen', certainty: 'certain' });
    expect(frozenWith({ ...lasting, moved: true }).kind).not.toBe('frozen');
  });
});

describe('zombie', () => {
  function zombieWith(thread: Partial<ThreadFacts>, process: Partial<ProcessFacts>) {
    const snapshot = load('zombie-child');
    for (const facts of snapshot.processes.filter(({ state }) => state === 'Z')) {
      Object.assign(facts, process);
      for (const one of facts.threads) Object.assign(one, thread);
    }
    return whySnapshot(snapshot).verdict;
  }

  test('at both collects', () => {
    expect(zombieWith({}, {})).toMatchObject({ kind: 'zombie', certainty: 'certain' });
  });

  test('its parent collected it in between', () => {
    const { kind, certainty } = zombieWith({ laterState: 'X', moved: true }, { changed: 'ended' });
    expect([kind, certainty]).not.toEqual(['zombie', 'certain']);
    expect(zombieWith({ laterState: 'X' }, {}).kind).not.toBe('zombie');
  });
});

describe('a stopped part beside a process of its session that sleeps', () => {
  const stoppedMs = 12_000;
  /** A shell waits for a stopped job and for another one, which may continue the first. */
  function findingsBeside(restedMs: number) {
    const snapshot = load('stopped-child-continued-later');
    for (const { pid, threads } of snapshot.processes)
      for (const thread of threads) {
        const isStopped = thread.laterState === 'T';
        const rests = pid === snapshot.targetPid || isStopped ? stoppedMs : restedMs;
        Object.assign(thread, { offCpuMs: rests, moved: false });
      }
    return whySnapshot(snapshot).findings.map(({ kind }) => kind);
  }

  test('since the stop: it may continue it when its time is up', () => {
    expect(findingsBeside(stoppedMs)).toEqual([]);
    expect(findingsBeside(stoppedMs - 500)).toEqual([]);
  });

  test('and has run meanwhile without continuing it', () => {
    expect(findingsBeside(1000)).toEqual(['stopped']);
  });
});
