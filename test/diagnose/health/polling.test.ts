import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/model/verdict.js';
import { grown, minute, second, verdictLine, verdictOf } from './observe.js';

function polls(failedAttempts: number, address = '127.0.0.1:5432'): { verdict: Verdict; cpuPercent: number } {
  const verdict = {
    ...verdictOf('timer'),
    polls: { pid: 42, name: 'python3', address, failedAttempts },
  };
  return { verdict, cpuPercent: 0.1 };
}

/** Ticks with a snapshot each, and more failed attempts at each. */
function pollFor(run: ReturnType<typeof grown>, durationMs: number, address?: string) {
  let last = run.tick(polls(1, address));
  for (let n = 2; n * 5 * second <= durationMs; n++) last = run.tick(polls(n, address));
  return last;
}

describe('a port that is polled, and on which no process listens', () => {
  it('is suspicious after four samples, as a wait for that port', () => {
    const run = grown();
    expect(pollFor(run, 15 * second).health).toBe('healthy');
    const diagnosis = run.tick(polls(4));
    expect(verdictLine(diagnosis)).toBe('suspicious, low');
    expect(diagnosis.reason).toBe(
      'python3(42) polls 127.0.0.1:5432, on which no process has listened for 15 s',
    );
    expect(diagnosis.verdict).toMatchObject({ kind: 'network', certainty: 'medium', pid: 42 });
    expect(diagnosis.recommendation).toBe('start what should listen on 127.0.0.1:5432');
  });

  it('is likely stuck, and no more, when no process has listened for as long as an answer may take', () => {
    const run = grown();
    expect(verdictLine(pollFor(run, 9 * minute))).toBe('suspicious, low');
    expect(verdictLine(pollFor(run, 11 * minute))).not.toContain('certain');
    const long = grown();
    expect(verdictLine(pollFor(long, 11 * minute))).toBe('likely-stuck, medium');
  });

  it.each([
    ['it prints', { printed: true }],
    ['it computes', { cpuPercent: 80 }],
    ['no attempt has failed since', polls(4)],
    ['the address is another one', polls(9, '127.0.0.1:80')],
    ['a snapshot shows no address', { verdict: verdictOf('timer') }],
  ])('is counted from the beginning when %s', (_, between) => {
    const run = grown();
    pollFor(run, 20 * second);
    expect(run.tick(between).health).toBe('healthy');
    expect(run.tick(polls(10)).health).toBe('healthy');
  });

  it('is still counted when a snapshot in between shows it at work', () => {
    const run = grown();
    pollFor(run, 15 * second);
    run.tick({ verdict: verdictOf('working') });
    expect(run.tick(polls(6)).health).toBe('suspicious');
  });
});
