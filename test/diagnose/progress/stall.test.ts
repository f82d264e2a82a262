import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import {
  advanceStall,
  type Stall,
  type StallOptions,
  startStall,
  stillPart,
} from '../../../src/diagnose/progress/stall.js';

const options: StallOptions = { armAfterMs: 360_000, samePulses: 3 };
const armed: StallOptions = { armAfterMs: 0, samePulses: 3 };

interface Beat {
  line: string;
  advancedAtMs?: number | null;
  text?: string;
}

/** A heartbeat a minute. */
function beats(list: Beat[], given: StallOptions): Stall[] {
  let state = startStall;
  return list.map(({ line, advancedAtMs = null, text }, index) => {
    const atMs = (index + 1) * 60_000;
    const pulse = {
      atMs,
      elapsedMs: atMs,
      lastLine: line,
      progressAdvancedAtMs: advancedAtMs,
      progressText: text,
    };
    const stall = advanceStall(state, pulse, given);
    state = stall.state;
    return stall;
  });
}

const lines = (...all: string[]): Beat[] => all.map((line) => ({ line }));
const stalls = (list: Beat[], given: StallOptions) =>
  beats(list, given).map(({ stalled }) => stalled !== null);

describe('the last line stays the same', () => {
  it('counts up, is reported once, and a change starts again', () => {
    const all = beats(lines('a', 'a', 'a', 'a', 'b', 'b', 'b'), armed);
    expect(all.map(({ same }) => same)).toEqual([1, 2, 3, 4, 1, 2, 3]);
    expect(all.map(({ stalled }) => stalled !== null)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(all[2]?.stalled).toBe("the last line is the same for 3 heartbeats, 2 min: 'a'");
  });

  it('not before it is armed, then at once', () => {
    const all = beats(lines(...'aaaaaaaa'), options);
    expect(all.map(({ armInMs }) => armInMs / 1000)).toEqual([300, 240, 180, 120, 60, 0, 0, 0]);
    expect(all.map(({ stalled }) => stalled !== null)).toEqual([...Array(5).fill(false), true, false, false]);
  });

  it('0 heartbeats switch it off', () => {
    expect(stalls(lines(...'aaaaaaaa'), { armAfterMs: 0, samePulses: 0 })).not.toContain(true);
  });

  it('a run that never printed has no last line', () => {
    const all = beats(lines('', '', '', ''), armed);
    expect(all.map(({ same, stalled }) => [same, stalled])).toEqual(Array(4).fill([0, null]));
  });

  it('progress in between is a change, whatever the last line is', () => {
    const list = [1, 2, 3, 4, 5].map((minute): Beat => ({ line: 'ok', advancedAtMs: minute * 60_000 - 10 }));
    expect(stalls(list, armed)).not.toContain(true);
  });

  it('a spinner and a clock do not make it another line', () => {
    const list = lines('⠋ waiting (60s elapsed)', '⠙ waiting (120s elapsed)', '⠹ waiting (180s elapsed)');
    expect(stalls(list, armed)).toEqual([false, false, true]);
    expect(stalls(lines('⠋', '⠙', '⠹'), armed)).toEqual([false, false, true]);
  });
});

describe('progress stands still', () => {
  const stuck = (line: (index: number) => string, count: number): Beat[] =>
    Array.from({ length: count }, (_, index) => ({ line: line(index), advancedAtMs: 59_000, text: '99%' }));

  it('a stall even while output goes on, reported once', () => {
    const all = beats(
      stuck((index) => `ping ${index}`, 6),
      armed,
    );
    expect(all.map(({ stalled }) => stalled !== null)).toEqual([false, false, false, true, false, false]);
    expect(all[3]?.stalled).toBe('stuck at 99%: no advance for 3 min 1 s, although output goes on');
  });

  it('any advance starts again', () => {
    const list: Beat[] = [59, 59, 59, 200, 200, 200, 200].map((seconds, index) => ({
      line: `ping ${index}`,
      advancedAtMs: seconds * 1000,
    }));
    expect(stalls(list, armed)).toEqual([false, false, false, false, false, false, true]);
  });

  it('not before it is armed', () => {
    expect(
      stalls(
        stuck((index) => `ping ${index}`, 6),
        options,
      ),
    ).toEqual([...Array(5).fill(false), true]);
  });

  it('not before its patience is over, and with it alone', () => {
    const list = stuck((index) => `ping ${index}`, 8);
    const patient = { armAfterMs: 0, progressPatienceMs: 400_000 };
    expect(stalls(list, { ...patient, samePulses: 3 }).indexOf(true)).toBe(7);
    expect(stalls(list, { ...patient, samePulses: 0 }).indexOf(true)).toBe(7);
    expect(stalls(list, { armAfterMs: 0, samePulses: 0 })).not.toContain(true);
  });

  it('no signature, no stall', () => {
    expect(stalls(lines('a', 'b', 'c', 'd', 'e'), armed)).not.toContain(true);
  });
});

describe('what of a line stays the same', () => {
  test.each([
    ['| building', '/ building'],
    ['Waiting.', 'Waiting...'],
    ['[12:00:01] waiting', '[12:05:44] waiting'],
    ['2026-11-16T02:43:45.123Z still here', '2026-11-16T02:44:45.999Z still here'],
    ['aws_x: Still creating... [10s elapsed]', 'aws_x: Still creating... [1m20s elapsed]'],
    ['idle for 3 minutes', 'idle for 12 minutes'],
  ])('%s and %s are the same', (one, other) => {
    expect(stillPart(one)).toBe(stillPart(other));
  });

  test.each([
    ['test_a.py ...', 'test_a.py ....'],
    ['......', '.......'],
    ['142/500', '143/500'],
    ['attempt 3', 'attempt 4'],
    ['copied 12M', 'copied 13M'],
    ['a-b', 'a/b'],
    ['epoch 10', 'epoch 11'],
    ['1700000001', '1700000002'],
  ])('%s and %s are not', (one, other) => {
    expect(stillPart(one)).not.toBe(stillPart(other));
  });
});

describe('any heartbeats', () => {
  const beat = fc.record({
    line: fc.constantFrom('', 'a', 'b', '⠋ c', '⠙ c'),
    advancedAtMs: fc.option(fc.constantFrom(1, 2, 3)),
  });

  property.prop([
    fc.array(beat, { maxLength: 40 }),
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 900_000 }),
  ])(
    'are reported as stalled only when armed, and never twice without a change',
    (list, samePulses, armAfterMs) => {
      let changed = true;
      beats(list, { armAfterMs, samePulses }).forEach(({ stalled, armInMs, same }, index) => {
        const [now, before] = [list[index], list[index - 1]];
        changed ||=
          stillPart(now?.line ?? '') !== stillPart(before?.line ?? '') ||
          now?.advancedAtMs !== before?.advancedAtMs;
        expect(same).toBeGreaterThanOrEqual(0);
        if (stalled === null) return;
        expect([armInMs, changed, samePulses > 0]).toEqual([0, true, true]);
        changed = false;
      });
    },
  );
});
