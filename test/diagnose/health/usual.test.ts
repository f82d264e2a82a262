import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { healths, presets } from '../../../src/model/run/health.js';
import { type Norms, noNorms, type Usual } from '../../../src/model/run/norms.js';
import { certainties, verdictKinds } from '../../../src/model/verdict.js';
import { type Change, grown, minute, observe, second, verdictLine, verdictOf } from './observe.js';

/** 23 runs of four minutes, never silent for more than 41 s. */
const usual: Usual = {
  duration: {
    runs: 23,
    medianMs: 4 * minute,
    p95Ms: 5 * minute,
    longestMs: 5 * minute,
    limitMs: 15 * minute,
  },
  silence: { runs: 23, longestMs: 41 * second, limitMs: 123 * second },
  recentMs: [],
  etaError: null,
};

const knowing = (known: Usual | null = usual): Norms => ({ ...noNorms, usual: known });
const run = (known?: Usual) => grown(presets.production, knowing(known));
const sentence = 'never silent for so long: the longest of 23 runs was 41 s';

describe('a silence longer than ever', () => {
  it('is suspicious beyond three times the longest, and likely stuck, medium, beyond twice that', () => {
    const watched = run();
    const verdict = verdictOf('timer');
    expect(watched.stay(120 * second, { verdict }).health).toBe('healthy');
    const first = watched.tick({ verdict });
    expect(verdictLine(first)).toBe('suspicious, low');
    expect(first.reason).toBe(`no output for 2 min 5 s, ${sentence}`);
    expect(watched.stay(120 * second, { verdict }).health).toBe('suspicious');
    const late = watched.tick({ verdict });
    expect(verdictLine(late)).toBe('likely-stuck, medium');
    expect(late.reason).toBe(`no output for 4 min 10 s, ${sentence}, idle: node is in timer`);
    expect(late).toMatchObject({ safeToKill: false, recommendation: 'look at 42' });
    expect(verdictLine(watched.stay(24 * 60 * minute, { verdict }))).toBe('likely-stuck, medium');
    expect(verdictLine(watched.tick({ printed: true }))).toMatch(/^(healthy|suspicious)/);
  });

  it.each(['timer', 'lock', 'service', 'event', 'unknown'] as const)(
    'a wait of the kind %s escalates, which alone it does not or later',
    (kind) => {
      const verdict = verdictOf(kind);
      expect(run().stay(250 * second, { verdict }).health).toBe('likely-stuck');
      expect(grown().stay(250 * second, { verdict }).health).toBe('healthy');
    },
  );

  it('not while it works, while another process works for it, or while nothing was seen of it', () => {
    for (const change of [
      { verdict: verdictOf('timer'), cpuPercent: 20 },
      { verdict: verdictOf('timer'), ioBytes: 90_000 },
      { verdict: verdictOf('timer'), networkBytes: 10 },
      { verdict: verdictOf('working') },
      { verdict: verdictOf('starved') },
      { verdict: { ...verdictOf('event'), relieved: true as const }, processes: 2 },
      { verdict: { ...verdictOf('unknown', 'low'), hidden: true as const } },
      {},
    ] satisfies Change[])
      expect(run().stay(280 * second, change).health).toBe('suspicious');
  });

  it('the network has its own patience, and a question that a user can answer is no hang', () => {
    const waiting = { verdict: verdictOf('network'), networkBytes: 0 };
    const watched = run();
    const early = watched.stay(9 * minute, waiting);
    expect(verdictLine(early)).toBe('suspicious, low');
    expect(early.reason).toContain(`; ${sentence}`);
    expect(verdictLine(watched.stay(2 * minute, waiting))).toBe('likely-stuck, medium');
    const asks = { verdict: verdictOf('needs-input'), canAnswer: true };
    expect(run().stay(20 * minute, asks)).toMatchObject({ health: 'suspicious', needsAnswer: true });
  });

  it('what is proven or idle for long is said as before, with the habit as a further reason', () => {
    const verdict = verdictOf('unknown');
    const late = run().stay(30 * minute, { verdict });
    expect(verdictLine(late)).toBe('confirmed-stuck, high');
    expect(late.reason).toContain(`; ${sentence}`);
    const watched = run();
    expect(verdictLine(watched.stay(15 * second, { verdict: verdictOf('deadlock', 'certain') }))).toBe(
      'confirmed-stuck, certain',
    );
  });

  it('its limit counts in place of the general ones, unless there is a proof', () => {
    const patient = {
      ...usual,
      duration: { ...usual.duration, limitMs: 24 * 60 * minute },
      silence: { runs: 23, longestMs: 12 * minute, limitMs: 36 * minute },
    };
    const watched = run(patient);
    const verdict = verdictOf('unknown');
    const known = watched.stay(35 * minute, { verdict });
    expect(verdictLine(known)).toBe('suspicious, low');
    expect(known.reason).toContain('; the longest silence of 23 runs was 12 min');
    expect(watched.stay(37 * minute, { verdict }).health).toBe('suspicious');
    expect(verdictLine(watched.tick({ verdict }))).toBe('confirmed-stuck, high');
    const waiting = { verdict: verdictOf('network'), networkBytes: 0 };
    expect(run(patient).stay(30 * minute, waiting).health).toBe('suspicious');
    const proof = { verdict: verdictOf('deadlock', 'certain') };
    expect(run(patient).stay(minute, proof).health).toBe('confirmed-stuck');
  });

  it('scattered silences mean no judgement', () => {
    const scattered = { ...usual, silence: { runs: 23, longestMs: 41 * second, limitMs: null } };
    expect(run(scattered).stay(290 * second, { verdict: verdictOf('timer') }).health).toBe('healthy');
  });
});

describe('a run longer than ever', () => {
  it('is suspicious, also while it prints', () => {
    const watched = observe(presets.production, knowing());
    expect(watched.stay(15 * minute, { printed: true }).health).toBe('healthy');
    const late = watched.tick({ printed: true });
    expect(verdictLine(late)).toBe('suspicious, low');
    expect(late.reason).toBe(
      'running for 15 min 5 s, never for so long: usually 4 min, the longest of 23 runs took 5 min',
    );
    expect(verdictLine(watched.stay(60 * minute, { printed: true }))).toBe('suspicious, low');
  });

  it('is likely stuck, medium, beyond twice that, when it is silent and idle', () => {
    const watched = observe(presets.production, knowing({ ...usual, silence: null }));
    watched.stay(31 * minute, { printed: true });
    const verdict = verdictOf('service');
    expect(watched.stay(minute - 5 * second, { verdict }).health).toBe('suspicious');
    const late = watched.tick({ verdict });
    expect(verdictLine(late)).toBe('likely-stuck, medium');
    expect(late.reason).toMatch(
      /^running for 32 min, never for so long: .*; no output for 1 min, idle: node/,
    );
  });
});

const change: fc.Arbitrary<Change> = fc.record({
  printed: fc.boolean(),
  canAnswer: fc.boolean(),
  cpuPercent: fc.constantFrom(0, 0, 0, 50),
  verdict: fc.option(
    fc
      .record({ kind: fc.constantFrom(...verdictKinds), certainty: fc.constantFrom(...certainties) })
      .map(({ kind, certainty }) => verdictOf(kind, certainty)),
  ),
});

const story = fc
  .array(fc.tuple(change, fc.constantFrom(1, 5, 40)), { minLength: 1, maxLength: 8 })
  .map((chapters) => chapters.flatMap(([what, times]) => Array<Change>(times).fill(what)));

/** Twice this is as long as the general limit, in whose place it counts. */
const silenceSMax = presets.production.silenceMs / second / 2;

property.prop([story, fc.integer({ min: 1, max: silenceSMax }), fc.integer({ min: 1, max: 400 })])(
  'a history of short silences makes nothing better, nothing more certain than medium, and no tree stuck that works',
  (changes, silenceS, durationS) => {
    const known: Usual = {
      ...usual,
      duration: { ...usual.duration, limitMs: durationS * second },
      silence: { runs: 9, longestMs: 1, limitMs: silenceS * second },
    };
    const [without, withIt] = [observe(), observe(presets.production, knowing(known))];
    for (const one of changes) {
      const [a, b] = [without.tick(one), withIt.tick(one)];
      expect(healths.indexOf(b.health)).toBeGreaterThanOrEqual(healths.indexOf(a.health));
      if (b.health === a.health) continue;
      expect(['low', 'medium']).toContain(b.confidence);
      if (b.health !== 'suspicious') {
        expect(b.health).toBe('likely-stuck');
        expect(b.numbers.cpuPercent).toBeLessThan(0.5);
        expect(one.printed).toBe(false);
      }
    }
  },
);
