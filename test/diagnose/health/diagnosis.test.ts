import { describe, expect, it } from 'vitest';
import { grown, minute, observe, second, verdictOf } from './observe.js';

describe('the content of a diagnosis', () => {
  it('all of it, as plain data', () => {
    const run = grown();
    run.stay(310 * second, { cpuPercent: 0.25, ioBytes: 200, openFiles: 7, states: { S: 3 }, processes: 3 });
    const diagnosis = run.tick({ verdict: verdictOf('unknown', 'medium'), processes: 3, states: { S: 3 } });
    expect(diagnosis).toEqual({
      health: 'likely-stuck',
      confidence: 'medium',
      severity: 'error',
      reason:
        'no output for 5 min 15 s, idle (0.2 % CPU and 2.2 KB read and written in 1 min): node is in unknown',
      safeToKill: false,
      recommendation: 'look at 42',
      needsAnswer: false,
      numbers: {
        silentMs: 315_000,
        cpuPercent: expect.closeTo(0.23, 2),
        ioBytes: 2_200,
        networkBytes: null,
        delayedMs: 0,
        stalledMs: 5_000,
        networkQuietMs: 0,
        samples: 12,
        processes: 3,
        threads: 1,
        states: { S: 3 },
        connections: null,
        openFiles: 3,
        residentBytes: 1_000_000,
        stdin: '/dev/null',
      },
      verdict: verdictOf('unknown', 'medium'),
      findings: [],
      evidence: ['node(42) shows unknown'],
    });
    expect(JSON.parse(JSON.stringify(diagnosis))).toEqual(diagnosis);
  });

  it('severities', () => {
    const run = grown();
    expect(run.tick().severity).toBe('info');
    expect(run.stay(300 * second).severity).toBe('warning');
    expect(run.tick().severity).toBe('error');
    expect(run.stay(10 * minute + 5 * second).severity).toBe('critical');
  });

  it('confirmed-stuck comes with a recommendation, proven or not, with a verdict or without', () => {
    expect(grown().stay(20 * minute).recommendation).toBe(
      'nothing proves that it cannot go on: check it, then stop it',
    );
    expect(grown().stay(20 * minute, { verdict: verdictOf('event') }).recommendation).toBe(
      'nothing proves that it cannot go on: look at 42, then stop it',
    );
    const doomed = { ...verdictOf('deadlock'), next: ['stop it, it cannot go on: kill 42'] };
    expect(grown().stay(20 * minute, { verdict: doomed }).recommendation).toBe(doomed.next[0]);
    const several = { ...verdictOf('deadlock', 'certain'), next: ['see the stacks', 'stop it: kill 42'] };
    expect(observe().stay(15 * second, { verdict: several }).recommendation).toBe(
      'see the stacks, or stop it: kill 42',
    );
    const none = { ...verdictOf('frozen', 'certain'), next: [] };
    expect(observe().stay(15 * second, { verdict: none }).recommendation).toBe('stop it');
  });

  it('what is active needs nothing done', () => {
    const diagnosis = grown().stay(15 * minute, { cpuPercent: 212.4, ioBytes: 3_000_000, networkBytes: 120 });
    expect(diagnosis.recommendation).toBe('');
    expect(diagnosis.reason).toBe(
      'silent but active: no output for 15 min, 212 % CPU, 36 MB read and written, 1.4 KB over the network',
    );
  });

  it('reports what it could not read', () => {
    expect(grown().stay(305 * second, { ioBytes: null }).reason).toBe(
      'no output for 5 min; 0 % CPU and I/O not readable in 1 min',
    );
  });

  it('the verdict is the last verdict since the last output, with its evidence', () => {
    const run = grown();
    run.tick({ verdict: verdictOf('timer') });
    expect(run.tick()).toMatchObject({ verdict: { kind: 'timer' }, evidence: ['node(42) shows timer'] });
    run.tick({ verdict: verdictOf('network') });
    expect(run.tick().verdict?.kind).toBe('network');
    expect(run.tick({ printed: true })).toMatchObject({ verdict: null, evidence: [] });
  });
});
