import { describe, expect, it } from 'vitest';
import { presets } from '../../../src/model/run/health.js';
import { grown, minute, observe, second, verdictLine, verdictOf } from './observe.js';

const expecting = (outputEveryMs: number, doneInMs = 0) => ({
  expected: { outputEveryMs, doneInMs },
  usual: null,
});

describe('--expect-output-every', () => {
  it('a longer silence is likely stuck, high, and never more by itself', () => {
    const run = grown(presets.production, expecting(2 * minute));
    expect(run.stay(2 * minute, { verdict: verdictOf('timer') }).health).toBe('healthy');
    const late = run.tick({ verdict: verdictOf('timer') });
    expect(verdictLine(late)).toBe('likely-stuck, high');
    expect(late.reason).toBe(
      'expected output every 2 min, but there was none for 2 min 5 s: node is in timer',
    );
    expect(verdictLine(run.stay(24 * 60 * minute, { verdict: verdictOf('timer') }))).toBe(
      'likely-stuck, high',
    );
  });

  it('it holds for a command that computes, too, and ends with the next output', () => {
    const run = grown(presets.production, expecting(2 * minute));
    expect(verdictLine(run.stay(3 * minute, { cpuPercent: 100 }))).toBe('likely-stuck, high');
    expect(verdictLine(run.tick({ printed: true }))).toBe('healthy, high');
  });

  it('it needs no window of samples, and proof stays certain', () => {
    const run = observe(presets.production, expecting(10 * second));
    run.stay(10 * second);
    expect(verdictLine(run.tick())).toBe('likely-stuck, high');
    expect(verdictLine(run.stay(15 * second, { verdict: verdictOf('deadlock', 'certain') }))).toBe(
      'confirmed-stuck, certain',
    );
  });

  it('time in which it was stopped does not count', () => {
    const run = grown(presets.production, expecting(minute, 4 * minute));
    run.stay(10 * minute, {
      leaderState: 'T',
      processes: 2,
      verdict: { ...verdictOf('stopped'), relieved: true },
    });
    expect(run.tick({ verdict: verdictOf('timer') }).health).toBe('healthy');
  });

  it('a question that a user can answer is reported as a question', () => {
    const run = grown(presets.production, expecting(minute, minute));
    const asked = run.stay(4 * minute, { verdict: verdictOf('needs-input'), canAnswer: true });
    expect(asked).toMatchObject({ needsAnswer: true, health: 'healthy' });
  });
});

describe('--expect-done-in', () => {
  it('longer is likely stuck, high, whatever it prints', () => {
    const run = observe(presets.production, expecting(0, 5 * minute));
    expect(run.stay(5 * minute, { printed: true }).health).toBe('healthy');
    const late = run.tick({ printed: true });
    expect(verdictLine(late)).toBe('likely-stuck, high');
    expect(late.reason).toBe('expected to be done in 5 min, but it still runs after 5 min 5 s');
    expect(late.recommendation).not.toBe('');
  });
});
