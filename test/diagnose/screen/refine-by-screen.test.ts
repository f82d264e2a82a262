import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { refineByScreen, refineVerdict } from '../../../src/diagnose/screen/refine-by-screen.js';
import type { ScreenClaim } from '../../../src/model/run/screen-claim.js';
import { certainties, type Verdict, verdictKinds } from '../../../src/model/verdict.js';
import { observe, verdictOf } from '../health/observe.js';

const claim = (shows: ScreenClaim['shows'], more: Partial<ScreenClaim> = {}): ScreenClaim => ({
  shows,
  name: null,
  text: shows === 'asks' ? 'Which one?' : '',
  forMs: 20_000,
  cpuPercent: 1,
  ...more,
});

/** A run that repaints, with this verdict of the kernel. */
const painting = (verdict: Verdict, canAnswer = false) =>
  observe().tick({ printed: true, verdict, canAnswer });

const reading = (kind: Verdict['kind'], certainty: Verdict['certainty'] = 'high'): Verdict => ({
  ...verdictOf(kind, certainty),
  readsTerminal: true,
});

describe('a screen that asks, and a process that reads the terminal', () => {
  it.each(['service', 'timer', 'network', 'event', 'working'] as const)(
    '%s becomes needs-input, medium',
    (kind) => {
      expect(refineVerdict(reading(kind), claim('asks'))).toMatchObject({
        kind: 'needs-input',
        certainty: 'medium',
        reason: 'node asks: "Which one?"',
      });
    },
  );

  it('is a fault where nothing can answer, and a question where something can', () => {
    expect(refineByScreen(painting(reading('needs-input')), claim('asks'), false)).toMatchObject({
      health: 'likely-stuck',
      confidence: 'high',
      needsAnswer: false,
    });
    expect(refineByScreen(painting(reading('needs-input'), true), claim('asks'), true)).toMatchObject({
      health: 'healthy',
      needsAnswer: true,
      safeToKill: false,
    });
  });

  it('a question without text keeps the text of the kernel', () => {
    const verdict = reading('needs-input');
    expect(refineVerdict(verdict, claim('asks', { text: '' })).reason).toBe(verdict.reason);
  });

  it('an agent at its prompt is idle', () => {
    const { reason, verdict } = refineByScreen(
      painting(reading('service'), true),
      claim('idle', { name: 'claude' }),
      true,
    );
    expect([reason, verdict?.kind]).toEqual(['claude is idle at its prompt', 'needs-input']);
  });

  it.each([
    ['no process reads the terminal', verdictOf('timer'), {}],
    ['it has just appeared', reading('timer'), { forMs: 1000 }],
    ['the tree computes', reading('working'), { cpuPercent: 90 }],
    ['the tree is stopped', reading('stopped'), {}],
  ])('nothing is concluded when %s', (_title, verdict, more) => {
    expect(refineVerdict(verdict, claim('asks', more))).toBe(verdict);
  });

  it('a proven wait keeps its certainty, and shows the question', () => {
    expect(refineVerdict(reading('needs-input', 'certain'), claim('asks'))).toMatchObject({
      kind: 'needs-input',
      certainty: 'certain',
      reason: 'node is in needs-input: "Which one?"',
    });
  });
});

describe('a screen that goes on', () => {
  const timed: Verdict = { ...reading('needs-input'), wayOut: true };
  it.each([
    ['lively', 'timer'],
    ['thinking', 'network'],
    ['tool', 'working'],
  ] as const)('%s: a wait for a key that ends by itself is %s', (shows, kind) => {
    const diagnosis = refineByScreen(painting(timed, true), claim(shows, { name: 'claude' }), true);
    expect(diagnosis).toMatchObject({ needsAnswer: false, verdict: { kind, certainty: 'medium' } });
  });

  it('a wait for a key without a way out stays', () => {
    const verdict = reading('needs-input');
    expect(refineVerdict(verdict, claim('lively'))).toBe(verdict);
  });

  it('an agent that waits for its model is described, also without a snapshot', () => {
    const printing = observe().tick({ printed: true });
    const { reason, health } = refineByScreen(
      printing,
      claim('thinking', { name: 'codex', forMs: 53_000 }),
      true,
    );
    expect([reason, health]).toEqual(['codex waits for its model since 53 s', 'healthy']);
  });
});

test.prop([
  fc.constantFrom(...verdictKinds),
  fc.constantFrom(...certainties),
  fc.record({ readsTerminal: fc.boolean(), wayOut: fc.boolean() }),
  fc.constantFrom('asks', 'idle', 'thinking', 'tool', 'lively'),
  fc.record({ forMs: fc.nat(1e6), cpuPercent: fc.nat(200), text: fc.string() }),
  fc.boolean(),
])(
  'a screen makes nothing certain and takes nothing proven back',
  (kind, certainty, flags, shows, more, canAnswer) => {
    const verdict: Verdict = {
      ...verdictOf(kind, certainty),
      ...(flags.readsTerminal && { readsTerminal: true }),
      ...(flags.wayOut && { wayOut: true }),
    };
    const refined = refineVerdict(verdict, claim(shows, more));
    expect(certainties.indexOf(refined.certainty)).toBeLessThanOrEqual(
      Math.max(certainties.indexOf(certainty), certainties.indexOf('medium')),
    );
    if (certainty === 'certain') expect(refined).toMatchObject({ kind, certainty });
    const before = painting(verdict, canAnswer);
    const after = refineByScreen(before, claim(shows, more), canAnswer);
    expect(after.safeToKill).toBe(before.safeToKill);
    if (before.confidence !== 'certain') expect(after.confidence).not.toBe('certain');
  },
);
