import { describe, expect, it } from 'vitest';
import { lastingHaltMs } from '../../../src/diagnose/graph/closed/halted.js';
import { presets } from '../../../src/model/run/health.js';
import { type Certainty, stuckKinds, verdictKinds } from '../../../src/model/verdict.js';
import { type Change, grown, minute, observe, verdictLine, verdictOf } from './observe.js';

const certain = (kind: (typeof verdictKinds)[number], pid?: number): Change => ({
  verdict: verdictOf(kind, 'certain', pid),
});
const proven = 'confirmed-stuck, certain';

/** The diagnosis after each of these ticks, in a run of its own that has not even a history. */
function healthsAfter(...changes: Change[]): string[] {
  const run = observe();
  return changes.map((change) => verdictLine(run.tick(change)));
}

describe('proof by verdict', () => {
  it.each([...stuckKinds])('%s, certain, in 3 samples in a row needs no silence and no history', (kind) => {
    const run = observe();
    expect(run.tick(certain(kind)).health).toBe('healthy');
    expect(run.tick(certain(kind)).health).toBe('healthy');
    const diagnosis = run.tick(certain(kind));
    expect(verdictLine(diagnosis)).toBe(proven);
    expect(diagnosis).toMatchObject({ safeToKill: true, severity: 'critical', verdict: { kind } });
    expect(diagnosis.reason).toBe(`node is in ${kind}; the same in 3 samples in a row`);
    expect(diagnosis.evidence).toEqual([`node(42) shows ${kind}`]);
  });

  it.each(verdictKinds.filter((kind) => !stuckKinds.has(kind)))('%s is never certain', (kind) => {
    const run = observe();
    for (let i = 0; i < 500; i++) expect(run.tick(certain(kind)).confidence).not.toBe('certain');
  });

  it.each<Certainty>(['low', 'medium', 'high'])('a deadlock that is only %s is no proof', (certainty) => {
    const diagnosis = observe().stay(30 * minute, { verdict: verdictOf('deadlock', certainty) });
    expect(diagnosis).toMatchObject({ health: 'confirmed-stuck', confidence: 'high', safeToKill: false });
  });

  it('as many samples as the thresholds require', () => {
    const run = observe({ ...presets.production, proofSamples: 5 });
    for (let i = 0; i < 4; i++) expect(run.tick(certain('asleep')).health).toBe('healthy');
    expect(verdictLine(run.tick(certain('asleep')))).toBe(proven);
  });
});

describe('what breaks a streak', () => {
  const deadlock = certain('deadlock');
  const unbroken: [string, Change][] = [['a tick without a look in which the tree did nothing', {}]];
  const breaking: [string, Change][] = [
    ['output', { printed: true }],
    ['output, whatever the snapshot shows', { ...deadlock, printed: true }],
    ['another kind', certain('asleep')],
    ['another pid', certain('deadlock', 43)],
    ['the same, less certain', { verdict: verdictOf('deadlock', 'high') }],
    ['a wait', { verdict: verdictOf('timer') }],
    ['CPU without a snapshot', { cpuPercent: 0.1 }],
    ['I/O without a snapshot', { ioBytes: 1 }],
    ['network flow without a snapshot', { networkBytes: 1 }],
  ];

  it.each(unbroken)('not %s', (_, between) => {
    expect(healthsAfter(deadlock, deadlock, between, between, deadlock).at(-1)).toBe(proven);
    expect(healthsAfter(deadlock, deadlock, between, between, between).at(-1)).toBe('healthy, low');
  });

  it.each(breaking)('%s', (_, between) => {
    const healths = healthsAfter(deadlock, deadlock, between, deadlock, deadlock, deadlock);
    expect(healths.slice(0, 5)).not.toContain(proven);
    expect(healths[5]).toBe(proven);
  });

  it('proof is withdrawn when it is broken', () => {
    const run = grown();
    expect(verdictLine(run.stay(15_000, deadlock))).toBe(proven);
    expect(verdictLine(run.tick())).toBe(proven);
    expect(verdictLine(run.tick({ cpuPercent: 5 }))).toBe('healthy, medium');
  });

  it('a few bytes that a thread of the runtime reads do not withdraw a deadlock that leaves no doubt', () => {
    const run = grown();
    run.stay(15_000, deadlock);
    expect(verdictLine(run.tick({ ...deadlock, ioBytes: 10 }))).toBe(proven);
  });

  it('ticks closer together than samples do not add up to proof', () => {
    const run = observe();
    for (let i = 0; i < 6; i++) expect(run.tick({ ...deadlock, afterMs: 800 }).health).toBe('healthy');
    for (let i = 0; i < 20; i++) expect(run.tick({ ...deadlock, afterMs: 0 }).health).toBe('healthy');
  });

  // Fed by a slow writer, woken by signals, slowed down by SIGSTOP and SIGCONT.
  it.each([
    ['needs-input', { ioBytes: 80 }],
    ['asleep', { ioBytes: 80 }],
    ['asleep', { cpuPercent: 5 }],
    ['deadlock', { cpuPercent: 5 }],
    ['stopped', { cpuPercent: 5 }],
  ] as const)('%s at every snapshot, but %j in between, is not stuck', (kind, work) => {
    const run = observe();
    for (let i = 0; i < 20; i++) expect(run.tick({ ...certain(kind), ...work }).health).toBe('healthy');
    run.tick(certain(kind));
    expect(verdictLine(run.tick(certain(kind)))).toBe(proven);
  });
});

describe('proof by the state of the command', () => {
  it.each([
    ['Z', 'zombie', 'the command has ended, but its parent has not collected it', 0],
    ['T', 'stopped', 'the command is stopped', lastingHaltMs],
    ['t', 'stopped', 'the command is stopped', lastingHaltMs],
  ] as const)('state %s in 3 samples, once it has lasted', (leaderState, kind, words, lastsMs) => {
    const halted: Change = { leaderState, states: { [leaderState]: 1 } };
    const run = observe();
    for (let ms = 0; ms < lastsMs; ms += presets.production.sampleMs)
      expect(run.tick(halted).confidence).not.toBe('certain');
    run.tick(halted);
    expect(run.tick(halted).health).toBe('healthy');
    const diagnosis = run.tick(halted);
    expect(verdictLine(diagnosis)).toBe(proven);
    expect(diagnosis.safeToKill).toBe(true);
    expect(diagnosis.reason).toContain(words);
    expect(diagnosis.recommendation).not.toBe('');
    expect(diagnosis.evidence).toEqual([`${words}: 1 in state ${leaderState}`]);
    const looks: Change[] = [certain(kind), certain(kind), certain(kind, 43)];
    expect(healthsAfter(...looks.map((look) => ({ ...halted, ...look })))[2]).toBe(proven);
  });

  it('what is stopped and let go for a moment again and again is not stuck', () => {
    const run = observe();
    for (let i = 0; i < 60; i++) {
      const between: Change = i % 10 === 9 ? { cpuPercent: 1 } : { leaderState: 'T' };
      expect(run.tick(between).confidence).not.toBe('certain');
    }
  });

  it('it ends with the state', () => {
    const stopped: Change = { leaderState: 'T' };
    const run = observe();
    expect(verdictLine(run.stay(2 * lastingHaltMs, stopped))).toBe(proven);
    expect(run.tick({}).confidence).not.toBe('certain');
    expect(run.tick(stopped).confidence).not.toBe('certain');
  });

  it('an older verdict of another kind is not the evidence for it', () => {
    const run = observe();
    run.tick({ verdict: verdictOf('network') });
    const diagnosis = run.stay(15_000, { leaderState: 'Z' });
    expect(verdictLine(diagnosis)).toBe(proven);
    expect(diagnosis.evidence.join()).not.toContain('network');
  });

  it('a main thread that ended before its others is no zombie', () => {
    expect(observe().stay(5 * minute, { leaderState: 'Z', threads: 2 }).confidence).not.toBe('certain');
  });

  it('the state is no proof where another process of the tree lives and may continue it', () => {
    const stopped: Change = { leaderState: 'T', states: { T: 1, S: 1 }, processes: 2 };
    expect(observe().stay(5 * minute, stopped).confidence).not.toBe('certain');
    // A verdict of each process proves it, and a tick without one does not speak against it.
    const verdict: Change = { ...stopped, ...certain('stopped') };
    expect(healthsAfter(verdict, stopped, verdict, stopped, verdict).at(-1)).toBe(proven);
  });

  it('the state is no proof if the verdict is not certain or the tree uses CPU', () => {
    const verdict = verdictOf('stopped', 'high');
    expect(observe().stay(5 * minute, { leaderState: 'T', verdict }).confidence).not.toBe('certain');
    expect(observe().stay(5 * minute, { leaderState: 't', cpuPercent: 30 }).confidence).not.toBe('certain');
  });
});
