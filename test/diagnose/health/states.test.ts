import { describe, expect, it } from 'vitest';
import { presets } from '../../../src/model/run/health.js';
import { grown, minute, observe, second, verdictLine, verdictOf } from './observe.js';

const { production, conservative, aggressive } = presets;

describe('history', () => {
  it('fewer than 12 samples are healthy, low', () => {
    const run = observe();
    const eleventh = run.stay(55 * second);
    expect(eleventh.numbers.samples).toBe(11);
    expect(verdictLine(eleventh)).toBe('healthy, low');
    expect(eleventh.reason).toBe('too early to judge: 11 of 12 samples');
    expect(verdictLine(run.tick())).toBe('healthy, medium');
  });

  it('not even silence past its threshold counts before that', () => {
    const run = observe({ ...production, silenceMs: 5 * second });
    expect(verdictLine(run.stay(55 * second))).toBe('healthy, low');
    expect(run.tick().health).not.toBe('healthy');
  });

  it('the window is 60 s long; activity before it is forgotten', () => {
    const run = observe();
    run.tick({ cpuPercent: 120, ioBytes: 1_000_000 });
    expect(run.stay(55 * second).numbers).toMatchObject({ samples: 12, cpuPercent: 10, ioBytes: 1_000_000 });
    expect(run.tick().numbers).toMatchObject({ samples: 12, cpuPercent: 0, ioBytes: 0 });
  });

  it('another sample interval means another number of samples', () => {
    const run = observe({ ...production, sampleMs: 10 * second });
    expect(run.stay(50 * second).confidence).toBe('low');
    expect(run.tick().confidence).toBe('medium');
  });
});

describe('silence', () => {
  it('healthy for 300 s, then suspicious, likely-stuck, high after 90 s, confirmed-stuck after 600 s', () => {
    const run = grown();
    expect(verdictLine(run.stay(300 * second))).toBe('healthy, medium');
    expect(verdictLine(run.tick())).toBe('suspicious, low');
    expect(verdictLine(run.tick())).toBe('likely-stuck, medium');
    expect(verdictLine(run.stay(90 * second))).toBe('likely-stuck, medium');
    expect(verdictLine(run.tick())).toBe('likely-stuck, high');
    expect(verdictLine(run.stay(505 * second))).toBe('likely-stuck, high');
    expect(verdictLine(run.tick())).toBe('confirmed-stuck, high');
    expect(verdictLine(run.stay(24 * 60 * minute))).toBe('confirmed-stuck, high');
  });

  it('any output returns to healthy and clears the timers', () => {
    const run = grown();
    run.stay(30 * minute, { networkBytes: 0 });
    const printing = run.tick({ printed: true, networkBytes: 0 });
    expect(verdictLine(printing)).toBe('healthy, high');
    expect(printing.numbers).toMatchObject({ silentMs: 0, stalledMs: 0, networkQuietMs: 0 });
    expect(run.stay(300 * second).health).toBe('healthy');
    run.tick();
    expect(verdictLine(run.stay(95 * second))).toBe('likely-stuck, medium');
  });

  it('output that only repeats itself is output here', () => {
    const run = grown();
    for (let i = 0; i < 100; i++) {
      run.stay(25 * second);
      expect(run.tick({ printed: true }).health).toBe('healthy');
    }
  });

  it.each([
    ['CPU', { cpuPercent: 0.5 }],
    ['I/O', { ioBytes: 427 }],
    ['network flow', { networkBytes: 1 }],
    ['waiting for a CPU', { delayedMs: 500 }],
  ])('silent but active by %s stays suspicious, low', (_, activity) => {
    const run = grown();
    const diagnosis = run.stay(2 * 60 * minute, activity);
    expect(verdictLine(diagnosis)).toBe('suspicious, low');
    expect(diagnosis.reason).toMatch(/^silent but active: no output for 2 h, /);
  });

  it.each([
    ['CPU', { cpuPercent: 0.49 }],
    ['I/O', { ioBytes: 426 }],
    ['waiting for a CPU', { delayedMs: 499 }],
    ['I/O that cannot be read', { ioBytes: null }],
  ])('%s below the threshold is idle', (_, activity) => {
    expect(verdictLine(grown().stay(20 * minute, activity))).toBe('confirmed-stuck, high');
  });

  it('the timers begin anew when it is idle again after activity', () => {
    const run = grown();
    run.stay(20 * minute);
    expect(run.tick({ cpuPercent: 100 }).health).toBe('suspicious');
    expect(run.stay(55 * second).health).toBe('suspicious');
    expect(verdictLine(run.tick())).toBe('suspicious, low');
    expect(verdictLine(run.stay(95 * second))).toBe('likely-stuck, medium');
    expect(verdictLine(run.tick())).toBe('likely-stuck, high');
  });

  it('a snapshot that explains the wait then keeps it from being called stuck', () => {
    const run = grown();
    run.stay(305 * second, { cpuPercent: 100 });
    run.stay(60 * second);
    expect(run.tick({ verdict: verdictOf('timer') }).health).toBe('suspicious');
  });

  it.each(['spinning', 'lingering', 'unknown', 'event', 'asleep'] as const)(
    'a verdict of %s that is not certain changes nothing',
    (kind) => {
      const run = grown();
      run.stay(310 * second);
      const verdict = verdictOf(kind);
      expect(run.stay(90 * second, { verdict }).health).toBe('likely-stuck');
      expect(verdictLine(run.stay(600 * second, { verdict }))).toBe('confirmed-stuck, high');
    },
  );
});

describe('presets', () => {
  it('the numbers', () => {
    const common = {
      sampleMs: 5_000,
      activityMs: 60_000,
      confirmMs: 600_000,
      networkPatienceMs: 600_000,
      proofSamples: 3,
    };
    expect(presets).toEqual({
      conservative: { ...common, silenceMs: 600_000, cpuPercent: 0.5, ioBytes: 10_240, escalateMs: 120_000 },
      aggressive: { ...common, silenceMs: 300_000, cpuPercent: 1, ioBytes: 1_024, escalateMs: 60_000 },
      production: { ...common, silenceMs: 300_000, cpuPercent: 0.5, ioBytes: 5_120, escalateMs: 90_000 },
    });
  });

  it.each([
    ['conservative', conservative, 600, 120],
    ['aggressive', aggressive, 300, 60],
    ['production', production, 300, 90],
  ])('%s', (_, thresholds, silenceS, escalateS) => {
    const run = grown(thresholds);
    expect(run.stay(silenceS * second).health).toBe('healthy');
    expect(run.tick().health).toBe('suspicious');
    expect(verdictLine(run.stay((escalateS + 5) * second))).toBe('likely-stuck, medium');
    expect(verdictLine(run.tick())).toBe('likely-stuck, high');
  });

  it('what is active in one preset may be idle in another', () => {
    const weak = { cpuPercent: 0.7, ioBytes: 80 };
    expect(grown(production).stay(15 * minute, weak).health).toBe('suspicious');
    expect(grown(aggressive).stay(15 * minute, weak).health).toBe('likely-stuck');
  });

  it('a threshold of zero means any activity, not that nothing is active', () => {
    const zero = { ...production, cpuPercent: 0, ioBytes: 0 };
    expect(grown(zero).stay(20 * minute).health).toBe('confirmed-stuck');
    expect(grown(zero).stay(20 * minute, { ioBytes: 1 }).health).toBe('suspicious');
  });
});
