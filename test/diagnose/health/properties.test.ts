import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { advance, startHealth } from '../../../src/diagnose/health/advance.js';
import {
  type Diagnosis,
  healths,
  presetNames,
  presets,
  type Thresholds,
} from '../../../src/model/run/health.js';
import { certainties, stuckKinds, type Verdict, verdictKinds } from '../../../src/model/verdict.js';
import { type Change, tickAt, verdictOf } from './observe.js';

/** Short ones, so that a few hundred ticks go through every state. */
const thresholds = fc.record<Thresholds>({
  sampleMs: fc.constantFrom(500, 1000, 5000),
  activityMs: fc.constantFrom(1000, 5000, 15_000),
  silenceMs: fc.integer({ min: 0, max: 60_000 }),
  escalateMs: fc.integer({ min: 0, max: 30_000 }),
  confirmMs: fc.integer({ min: 0, max: 60_000 }),
  cpuPercent: fc.constantFrom(0, 0.5, 1),
  ioBytes: fc.constantFrom(0, 1024, 5120),
  networkPatienceMs: fc.integer({ min: 0, max: 60_000 }),
  proofSamples: fc.integer({ min: 1, max: 4 }),
});

const verdict = fc
  .record({
    kind: fc.constantFrom(...verdictKinds),
    certainty: fc.constantFrom(...certainties),
    pid: fc.constantFrom(42, 43),
  })
  .map(({ kind, certainty, pid }) => verdictOf(kind, certainty, pid));

const maybe = <T>(values: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: values });

const change: fc.Arbitrary<Change> = fc.record({
  afterMs: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(1000, 5000) },
    { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 10_000_000 }) },
  ),
  printed: maybe(fc.boolean(), false),
  verdict: maybe<Verdict | null>(verdict, null),
  canAnswer: fc.boolean(),
  cpuPercent: maybe(fc.double({ min: 0, max: 800, noNaN: true }), 0),
  ioBytes: maybe<number | null>(fc.option(fc.nat(100_000)), 0),
  networkBytes: maybe<number | null>(fc.option(fc.nat(1000)), null),
  delayedMs: maybe(fc.nat(10_000), 0),
  leaderState: maybe<string | null>(fc.constantFrom('R', 'S', 'D', 'T', 't', 'Z', null), 'S'),
  threads: fc.constantFrom(1, 2),
});

/** Mostly the same thing for a while, as real trees are. */
const story = fc
  .array(fc.tuple(change, fc.constantFrom(1, 1, 4, 20)), { minLength: 1, maxLength: 12 })
  .map((chapters) => chapters.flatMap(([what, times]) => Array<Change>(times).fill(what)));

/** The same story with some things never happening. */
const without = (never: Change) => story.map((changes) => changes.map((other) => ({ ...other, ...never })));

function play(changes: readonly Change[], limits: Thresholds) {
  let state = startHealth(0);
  let atMs = 0;
  return changes.map((one) => {
    atMs += one.afterMs ?? limits.sampleMs;
    const next = advance(state, tickAt(atMs, one), limits);
    state = next.state;
    return { ...next, change: one };
  });
}

const badness = ({ health }: Diagnosis): number => healths.indexOf(health);
const trust = ({ confidence }: Diagnosis): number => certainties.indexOf(confidence);

/** The kinds a tick proves by itself: a model of the proof rule, written a second time, without counting. */
function provesWhat({ verdict, canAnswer, leaderState, threads }: Change): string | null {
  if (verdict) {
    const stuck = verdict.certainty === 'certain' && stuckKinds.has(verdict.kind);
    return stuck && !(verdict.kind === 'needs-input' && canAnswer) ? verdict.kind : null;
  }
  // A main thread that ended before the others proves nothing, for or against.
  if (leaderState === 'Z') return threads === 1 ? 'zombie' : null;
  return leaderState === 'T' || leaderState === 't' ? 'stopped' : null;
}

describe('whatever happens', () => {
  property.prop([story, thresholds])('output is healthy, and its timers are cleared', (changes, limits) => {
    for (const { change: one, diagnosis, state } of play(changes, limits)) {
      if (!one.printed) continue;
      expect(diagnosis.health).toBe('healthy');
      expect(state).toMatchObject({ silentMs: 0, networkQuietMs: 0, stall: null, proof: null });
    }
  });

  property.prop([story, thresholds])(
    'certain only with as many equal proofs in a row as required since the last output',
    (changes, limits) => {
      play(changes, limits).forEach(({ diagnosis }, index) => {
        if (diagnosis.confidence !== 'certain') return;
        const since = changes.slice(0, index + 1);
        const begin = since.findLastIndex(({ printed }) => printed) + 1;
        const proofs = since
          .slice(begin)
          .map(provesWhat)
          .filter((kind) => kind !== null);
        const last = proofs.slice(-limits.proofSamples);
        expect(last).toHaveLength(limits.proofSamples);
        expect(new Set(last).size).toBe(1);
      });
    },
  );

  property.prop([story, thresholds])(
    'safe to kill means certain, and then confirmed-stuck',
    (changes, limits) => {
      for (const { diagnosis } of play(changes, limits)) {
        expect(diagnosis.safeToKill).toBe(diagnosis.confidence === 'certain');
        if (diagnosis.safeToKill) expect(diagnosis.health).toBe('confirmed-stuck');
      }
    },
  );

  property.prop([story, thresholds])(
    'never worse than suspicious while it is active, without proof',
    (changes, limits) => {
      for (const { diagnosis } of play(changes, limits)) {
        const { cpuPercent, networkBytes } = diagnosis.numbers;
        const active = (cpuPercent > 0 && cpuPercent >= limits.cpuPercent) || (networkBytes ?? 0) > 0;
        const isProof = diagnosis.confidence === 'certain' || diagnosis.confidence === 'high';
        if (active && !isProof) expect(badness(diagnosis)).toBeLessThanOrEqual(1);
      }
    },
  );

  property.prop([story, thresholds])(
    'a wait is never stuck, or, for the network, likely at most',
    (changes, limits) => {
      for (const { diagnosis } of play(changes, limits)) {
        const { verdict: last, confidence } = diagnosis;
        if (last === null || last.certainty === 'low' || confidence === 'certain') continue;
        if (['timer', 'service', 'lock'].includes(last.kind))
          expect(badness(diagnosis)).toBeLessThanOrEqual(1);
        if (last.kind !== 'network') continue;
        expect(diagnosis.health).not.toBe('confirmed-stuck');
        if (diagnosis.health === 'likely-stuck') expect(confidence).toBe('medium');
      }
    },
  );

  property.prop([story, thresholds])(
    'the reason is a single line, and there is a recommendation where it is critical',
    (changes, limits) => {
      for (const { diagnosis } of play(changes, limits)) {
        expect(diagnosis.reason).toMatch(/^\S[^\n]*[^\s.]$/);
        expect(diagnosis.reason).not.toMatch(/NaN|undefined|null|Infinity/);
        if (diagnosis.severity === 'critical') expect(diagnosis.recommendation).not.toBe('');
      }
    },
  );

  property.prop([story, thresholds])(
    'the same changes give the same diagnoses, also from a state that was saved',
    (changes, limits) => {
      const first = play(changes, limits);
      expect(play(changes, limits)).toEqual(first);
      first.slice(1).forEach(({ state, diagnosis }, index) => {
        const before = JSON.parse(JSON.stringify(first[index]?.state));
        const atMs = state.atMs;
        expect(advance(before, tickAt(atMs, changes[index + 1] ?? {}), limits)).toEqual({ state, diagnosis });
      });
    },
  );

  property.prop([fc.array(change, { minLength: 300, maxLength: 300 }), fc.constantFrom(...presetNames)], {
    numRuns: 20,
  })('memory is bounded', (changes, name) => {
    for (const { state } of play(changes, presets[name])) {
      expect(state.window.samples.length).toBeLessThanOrEqual(12);
      expect(JSON.stringify(state).length).toBeLessThan(4000);
    }
  });
});

describe('time', () => {
  property.prop([story, thresholds, fc.nat(1e9)])(
    'a jump of the clock counts as two intervals, however far',
    (changes, limits, furtherMs) => {
      const jump = 2 * limits.sampleMs;
      const far = changes.map((one) =>
        (one.afterMs ?? 0) >= jump ? { ...one, afterMs: jump + furtherMs } : one,
      );
      const near = changes.map((one) => ((one.afterMs ?? 0) >= jump ? { ...one, afterMs: jump } : one));
      const diagnoses = (what: Change[]) => play(what, limits).map(({ diagnosis }) => diagnosis);
      expect(diagnoses(far)).toEqual(diagnoses(near));
    },
  );

  property.prop([story, thresholds])('silence never grows faster than ticks come', (changes, limits) => {
    let before = 0;
    for (const { diagnosis } of play(changes, limits)) {
      const { silentMs } = diagnosis.numbers;
      expect(silentMs === 0 || silentMs >= before).toBe(true);
      expect(silentMs - before).toBeLessThanOrEqual(2 * limits.sampleMs);
      before = silentMs;
    }
  });

  property.prop([without({ leaderState: 'T' }), thresholds])(
    'while it is stopped, only proof makes it worse',
    (changes, limits) => {
      for (const { diagnosis } of play(changes, limits)) {
        const isProof = diagnosis.confidence === 'certain' || diagnosis.confidence === 'high';
        if (!isProof) expect(diagnosis.health).toBe('healthy');
      }
    },
  );
});

describe('without output, activity or an excuse', () => {
  const idle: Change = {
    printed: false,
    cpuPercent: 0,
    ioBytes: 0,
    networkBytes: null,
    delayedMs: 0,
    leaderState: 'S',
  };
  const unexcused = without(idle).map((changes) =>
    changes.map((one) => ({
      ...one,
      verdict: one.verdict ? verdictOf('unknown', one.verdict.certainty) : null,
    })),
  );

  property.prop([unexcused, thresholds])(
    'health only gets worse, and confidence only grows',
    (changes, limits) => {
      const diagnoses = play(changes, limits).map(({ diagnosis }) => diagnosis);
      diagnoses.slice(1).forEach((diagnosis, index) => {
        const before = diagnoses[index] as Diagnosis;
        expect(badness(diagnosis)).toBeGreaterThanOrEqual(badness(before));
        if (badness(before) > 0) expect(trust(diagnosis)).toBeGreaterThanOrEqual(trust(before));
      });
    },
  );

  property.each(presetNames)('with the preset %s it ends as confirmed-stuck, high', (name) => {
    const last = play(Array<Change>(400).fill(idle), presets[name]).at(-1);
    expect(last?.diagnosis).toMatchObject({
      health: 'confirmed-stuck',
      confidence: 'high',
      safeToKill: false,
    });
  });
});
