import { describe, expect, it } from 'vitest';
import { type Change, grown, minute, observe, second, verdictLine } from './observe.js';

const night = 8 * 60 * minute;

describe('time that does not count', () => {
  it('a night suspended is two intervals of silence at most', () => {
    const run = grown();
    run.stay(100 * second);
    const diagnosis = run.tick({ afterMs: night });
    expect(diagnosis.numbers.silentMs).toBe(110 * second);
    expect(diagnosis.health).toBe('healthy');
  });

  it('it does not hurry what is already suspicious', () => {
    const run = grown();
    run.stay(315 * second);
    expect(verdictLine(run.tick({ afterMs: night }))).toBe('likely-stuck, medium');
  });

  it('a slow machine whose ticks come late still notices', () => {
    const run = grown();
    for (let i = 0; i < 200; i++) run.tick({ afterMs: 9 * second });
    expect(run.tick().health).toBe('confirmed-stuck');
  });

  it('stopped (Ctrl-Z) is not silence', () => {
    const run = grown();
    const before = run.stay(200 * second).numbers.silentMs;
    expect(run.stay(night, { leaderState: 'T' }).numbers.silentMs).toBe(before);
    const resumed = run.tick();
    expect(resumed.health).toBe('healthy');
    expect(resumed.numbers.silentMs).toBe(205 * second);
  });

  it('what was active before it was stopped is not idle right after', () => {
    const run = grown();
    run.stay(400 * second, { cpuPercent: 100 });
    run.stay(night, { leaderState: 'T' });
    expect(run.stay(55 * second).reason).toMatch(/^silent but active/);
  });

  it('nothing is called stuck while it is stopped, except by proof', () => {
    const run = grown();
    expect(run.stay(305 * second).health).toBe('suspicious');
    expect(run.stay(10 * second, { leaderState: 'T' }).health).toBe('suspicious');
    expect(run.tick().health).toBe('likely-stuck');
  });

  it('stopped, network patience and escalation stand still too', () => {
    const run = grown();
    const { stalledMs } = run.stay(350 * second).numbers;
    expect(run.stay(night, { leaderState: 'T' }).numbers.stalledMs).toBe(stalledMs);
    expect(verdictLine(run.tick())).toBe('likely-stuck, medium');
  });

  it('starved of CPU by the machine is not idle', () => {
    expect(grown().stay(night, { cpuPercent: 0.1, delayedMs: 4_900 }).reason).toMatch(
      /^silent but active: .* ready to run but without a CPU for 59 s$/,
    );
  });
});

describe('ticks that do not come as planned', () => {
  it('the same instant twice, and time that goes back, is no time', () => {
    const run = grown();
    run.stay(100 * second);
    expect(run.tick({ afterMs: 0 }).numbers.silentMs).toBe(100 * second);
    expect(run.tick({ afterMs: -minute }).numbers.silentMs).toBe(100 * second);
    expect(run.tick().numbers.silentMs).toBe(105 * second);
  });

  it('they do not push samples out of the window', () => {
    const run = grown();
    run.stay(400 * second);
    for (let i = 0; i < 50; i++) expect(run.tick({ afterMs: 0 }).health).toBe('likely-stuck');
  });

  it('activity between two samples counts at once', () => {
    const run = grown();
    run.stay(400 * second);
    expect(run.tick({ afterMs: second, cpuPercent: 100 }).reason).toMatch(/^silent but active/);
  });

  it('CPU without time to measure it in is no number to use', () => {
    const run = grown();
    expect(run.tick({ afterMs: 0, cpuPercent: Number.NaN }).numbers.cpuPercent).toBe(0);
    expect(run.tick({ afterMs: 0, cpuPercent: Number.POSITIVE_INFINITY }).numbers.cpuPercent).toBe(0);
  });

  it('ticks that come more often do not shorten the window much', () => {
    const run = observe();
    const often: Change = { afterMs: second };
    run.tick({ cpuPercent: 50, afterMs: second });
    for (let i = 0; i < 29; i++) expect(run.tick(often).confidence).toBe('low');
    expect(run.tick(often).numbers.cpuPercent).toBeGreaterThan(1);
  });

  it('the mean is weighted by time', () => {
    const run = observe();
    run.tick({ cpuPercent: 100, afterMs: 9 * second });
    expect(run.tick({ cpuPercent: 0, afterMs: 3 * second }).numbers.cpuPercent).toBe(75);
  });

  it('what is not known is not zero, and does not hide what is', () => {
    const run = observe();
    expect(run.tick({ ioBytes: null }).numbers).toMatchObject({ ioBytes: null, networkBytes: null });
    run.tick({ ioBytes: 70, networkBytes: 7 });
    expect(run.tick({ ioBytes: null }).numbers).toMatchObject({ ioBytes: 70, networkBytes: 7 });
  });
});
