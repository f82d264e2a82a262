import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type Diagnosis, presets, type TreeSample } from '../../../src/model/run/health.js';
import type { Verdict } from '../../../src/model/verdict.js';
import {
  afterSnapshot,
  beforeSnapshot,
  noSnapshotYet,
  type SnapshotState,
  type SnapshotTick,
  urgencyOf,
  wantsSnapshot,
} from '../../../src/run/health/snapshot-policy.js';

const thresholds = presets.production;

function tick(atMs: number, over: Partial<SnapshotTick> & { cpuPercent?: number } = {}): SnapshotTick {
  const { cpuPercent = 0, ...rest } = over;
  const sample = { atMs, cpuPercent, ioBytes: 0 } as TreeSample;
  return { sample, ran: false, printed: false, asked: false, diagnosis: null, partsChanged: false, ...rest };
}

const verdict = (kind: Verdict['kind'], certainty: Verdict['certainty']) => ({ kind, certainty }) as Verdict;
const diagnosis = (over: Partial<Diagnosis>) =>
  ({ health: 'healthy', confidence: 'low', verdict: null, ...over }) as Diagnosis;

describe('when to take a snapshot', () => {
  it('not while it prints, not while it computes', () => {
    expect(wantsSnapshot(noSnapshotYet, tick(5000, { printed: true }), thresholds)).toBe(false);
    expect(wantsSnapshot(noSnapshotYet, tick(5000, { cpuPercent: 40, ran: true }), thresholds)).toBe(false);
  });

  it('at the first tick in which nothing happens, and at the two after it if that was proof', () => {
    expect(wantsSnapshot(noSnapshotYet, tick(5000), thresholds)).toBe(true);
    const look = {
      atMs: 5000,
      costMs: 500,
      verdict: verdict('needs-input', 'certain'),
      hasUnprovenParts: false,
      proven: false,
    };
    expect(wantsSnapshot(afterSnapshot(noSnapshotYet, look, thresholds), tick(10_000), thresholds)).toBe(
      true,
    );
  });

  it('nothing is called stuck without a snapshot, whatever the last snapshot cost', () => {
    const dear = afterSnapshot(
      noSnapshotYet,
      { atMs: 0, costMs: 10_000, verdict: null, hasUnprovenParts: false, proven: false },
      thresholds,
    );
    expect(wantsSnapshot(dear, tick(5000, { ran: true }), thresholds)).toBe(false);
    const suspicious = diagnosis({ health: 'suspicious' });
    expect(wantsSnapshot(dear, tick(5000, { ran: true, diagnosis: suspicious }), thresholds)).toBe(true);
  });

  it('a proven wait that has run since gets another snapshot', () => {
    const look = {
      atMs: 0,
      costMs: 50,
      verdict: verdict('asleep', 'certain'),
      hasUnprovenParts: false,
      proven: true,
    };
    const state = afterSnapshot(noSnapshotYet, look, thresholds);
    const proven = diagnosis({ health: 'confirmed-stuck', confidence: 'certain', verdict: look.verdict });
    expect(wantsSnapshot(state, tick(5000, { ran: true, diagnosis: proven }), thresholds)).toBe(true);
    expect(wantsSnapshot(state, tick(5000, { ran: false, diagnosis: proven }), thresholds)).toBe(false);
  });

  it('a process that waits for a working process gets another snapshot within the window, though it did not run', () => {
    const after = (kind: Verdict['kind']) =>
      [1, 2, 3].reduce(
        (state, n) =>
          afterSnapshot(
            state,
            { atMs: n, costMs: 0, verdict: verdict(kind, 'high'), hasUnprovenParts: false, proven: false },
            thresholds,
          ),
        noSnapshotYet,
      );
    const reported = (kind: Verdict['kind']) => ({
      diagnosis: diagnosis({ health: 'suspicious', verdict: verdict(kind, 'high') }),
    });
    const half = thresholds.activityMs / 2;
    expect(wantsSnapshot(after('working'), tick(half, reported('working')), thresholds)).toBe(false);
    expect(wantsSnapshot(after('working'), tick(half + 3, reported('working')), thresholds)).toBe(true);
    expect(wantsSnapshot(after('lock'), tick(half + 3, reported('lock')), thresholds)).toBe(false);
    // Its screen shows a question, although the snapshot met it while it waited for a CPU.
    expect(wantsSnapshot(after('starved'), tick(half + 3, reported('needs-input')), thresholds)).toBe(true);
  });

  it('a tree that ran soon after the last snapshot and then rests gets another one within the window', () => {
    const timer = verdict('timer', 'high');
    const suspicious = { diagnosis: diagnosis({ health: 'suspicious', verdict: timer }) };
    const look = { atMs: 0, costMs: 200, verdict: timer, hasUnprovenParts: false, proven: false };
    const seen = afterSnapshot(noSnapshotYet, look, thresholds);
    const half = thresholds.activityMs / 2;
    const woke = tick(5000, { ran: true, ...suspicious });
    const afterwards = beforeSnapshot(seen, woke);
    expect(wantsSnapshot(afterwards, woke, thresholds)).toBe(false);
    expect(wantsSnapshot(afterwards, tick(half, suspicious), thresholds)).toBe(true);
    expect(wantsSnapshot(seen, tick(half, suspicious), thresholds)).toBe(false);
    const again = afterSnapshot(afterwards, { ...look, atMs: half }, thresholds);
    expect(wantsSnapshot(again, tick(2 * half, suspicious), thresholds)).toBe(false);
  });

  it('a part that was found is confirmed on a slow machine, and others wait until that is paid off', () => {
    const busy = { printed: true, partsChanged: true, cpuPercent: 40 };
    const timer = verdict('timer', 'high');
    const take = (state: SnapshotState, atMs: number, hasUnprovenParts: boolean) =>
      afterSnapshot(
        beforeSnapshot(state, tick(atMs, busy)),
        { atMs, costMs: 480, verdict: timer, hasUnprovenParts, proven: false },
        thresholds,
      );
    const wants = (state: SnapshotState, atMs: number) =>
      wantsSnapshot(beforeSnapshot(state, tick(atMs, busy)), tick(atMs, busy), thresholds);
    const twice = take(take(take(noSnapshotYet, 5000, false), 10_000, false), 15_000, true);
    expect(wants(twice, 20_000)).toBe(true);
    const found = take(take(twice, 20_000, true), 25_000, true);
    expect(wants(found, 30_000)).toBe(false);
    expect(wants(take(twice, 20_000, false), 25_000)).toBe(false);
    expect(wants(take(twice, 20_000, false), 1_200_000)).toBe(true);
  });

  it('a snapshot that failed is taken again, whatever it was wanted for', () => {
    const busy = { printed: true, cpuPercent: 40 };
    const failed = { costMs: 5, verdict: null, hasUnprovenParts: false, proven: false };
    const still = beforeSnapshot(noSnapshotYet, tick(5000, { ...busy, partsChanged: true }));
    const after = afterSnapshot(still, { atMs: 5000, ...failed }, thresholds);
    const next = tick(10_000, busy);
    expect(wantsSnapshot(beforeSnapshot(after, next), next, thresholds)).toBe(true);
  });

  it('a requested snapshot is taken, printing or not, unless the run has ended', () => {
    const asked = tick(5000, { asked: true, printed: true, cpuPercent: 40 });
    expect(wantsSnapshot(noSnapshotYet, asked, thresholds)).toBe(true);
    const ended = { ...asked, sample: { ...asked.sample, leaderState: null } };
    expect(wantsSnapshot(noSnapshotYet, ended, thresholds)).toBe(false);
  });

  it('what is not explained or almost proven is more urgent than what is known', () => {
    const seen = diagnosis({ verdict: verdict('timer', 'high') });
    const proof = {
      atMs: 0,
      costMs: 5,
      verdict: verdict('needs-input', 'certain'),
      hasUnprovenParts: false,
      proven: false,
    };
    const proving = afterSnapshot(noSnapshotYet, proof, thresholds);
    expect(urgencyOf(noSnapshotYet, tick(5000))).toBe('first');
    expect(urgencyOf(noSnapshotYet, tick(5000, { diagnosis: seen }))).toBe('again');
    expect(urgencyOf(proving, tick(5000, { diagnosis: seen }))).toBe('proving');
    const suspicious = diagnosis({ health: 'suspicious' });
    expect(urgencyOf(noSnapshotYet, tick(5000, { diagnosis: suspicious }))).toBe('unexplained');
    expect(urgencyOf(proving, tick(5000, { asked: true }))).toBe('asked');
  });

  test.prop([fc.double({ min: 1, max: 100, noNaN: true }), fc.boolean()])(
    'a healthy silent run costs little: snapshots take at most a thousandth of a core',
    (costMs, ran) => {
      let state: SnapshotState = noSnapshotYet;
      let spentMs = 0;
      const hourMs = 3_600_000;
      for (let atMs = 5000; atMs <= hourMs; atMs += thresholds.sampleMs) {
        if (!wantsSnapshot(state, tick(atMs, { ran }), thresholds)) continue;
        spentMs += costMs;
        state = afterSnapshot(
          state,
          { atMs, costMs, verdict: verdict('timer', 'high'), hasUnprovenParts: false, proven: false },
          thresholds,
        );
      }
      expect(spentMs).toBeLessThanOrEqual(hourMs / 1000 + costMs);
    },
  );
});
