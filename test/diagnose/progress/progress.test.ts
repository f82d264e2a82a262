import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import {
  advancedAtMs,
  advanceProgress,
  glanceProgress,
  missLines,
  type ProgressState,
  patienceMs,
  phaseOfProgress,
  readProgress,
  startProgress,
} from '../../../src/diagnose/progress/progress.js';

type Said = [atMs: number, line: string];

function said(lines: Said[], custom?: RegExp): ProgressState {
  return lines.reduce((state, [atMs, line]) => advanceProgress(state, line, atMs, custom), startProgress);
}

const steps = (count: number, everyMs: number, total = 100): Said[] =>
  Array.from({ length: count }, (_, index) => [index * everyMs, `[${index + 1}/${total}] CC a${index}.o`]);

describe('how far it is', () => {
  it('the fraction and the time left come from the pace', () => {
    const progress = readProgress(said(steps(21, 1000)), 20_000);
    expect(progress).toEqual({ text: '21/100', fraction: 0.21, etaMs: expect.any(Number) });
    expect((progress?.etaMs ?? 0) / 79_000).toBeCloseTo(1, 1);
  });

  it('the time left is reported only after it has advanced twice', () => {
    expect([1, 2, 3].map((count) => readProgress(said(steps(count, 1000)), 3000)?.etaMs ?? null)).toEqual([
      null,
      null,
      expect.any(Number),
    ]);
  });

  it('nor from lines that all came at once', () => {
    expect(readProgress(said(steps(50, 0)), 0)?.etaMs).toBeNull();
  });

  it('it follows a pace that changes', () => {
    const fast = steps(50, 100);
    const slow: Said[] = Array.from({ length: 10 }, (_, index) => [
      5000 + (index + 1) * 10_000,
      `[${51 + index}/100] CC b${index}.o`,
    ]);
    const etaMs = readProgress(said([...fast, ...slow]), 105_000)?.etaMs ?? 0;
    expect(etaMs).toBeGreaterThan(40 * 5000);
    expect(etaMs).toBeLessThan(40 * 12_000);
  });

  it('while it is stuck at 99 %, the time left only grows', () => {
    const state = said(
      Array.from({ length: 100 }, (_, percent): Said => [percent * 1000, `[ ${percent}%] Building a.o`]),
    );
    const etas = [99_000, 160_000, 400_000, 4_000_000].map((now) => readProgress(state, now)?.etaMs ?? 0);
    expect(etas.toSorted((a, b) => a - b)).toEqual(etas);
    expect(etas.at(-1)).toBeGreaterThan(30_000);
    expect(advancedAtMs(state)).toBe(99_000);
  });

  it('counts what is only listed, each once', () => {
    const state = said([
      [0, '   Compiling one v0.1.0'],
      [1, '   Compiling two v0.1.0'],
      [2, '   Compiling one v0.1.0'],
    ]);
    expect(readProgress(state, 3)).toEqual({ text: '2 crates', fraction: null, etaMs: null });
  });

  it('takes a total that is announced first, and a total that comes last', () => {
    const rust = said([
      [0, 'running 3 tests'],
      [1000, 'test a ... ok'],
      [2000, 'test b ... FAILED'],
    ]);
    expect(readProgress(rust, 2000)).toMatchObject({ text: '2/3', fraction: 2 / 3 });
    const next = advanceProgress(
      advanceProgress(rust, 'test result: FAILED. 2 passed', 3000),
      'running 5 tests',
      4000,
    );
    expect(readProgress(next, 4000)).toMatchObject({ text: '0/5', fraction: 0 });
    const tap = said([
      [0, 'ok 1 - a'],
      [1, 'ok 2 - b'],
      [2, '1..2'],
    ]);
    expect(readProgress(tap, 3)).toEqual({ text: '2/2', fraction: 1, etaMs: 0 });
  });

  it('reports a lower bound when lines went by unseen', () => {
    const state = missLines(
      said([
        [0, 'running 3000 tests'],
        [1000, 'test a ... ok'],
      ]),
    );
    expect(readProgress(state, 2000)).toEqual({ text: '1+ tests', fraction: null, etaMs: null });
  });

  it('the beginning of a line counts as a bar, not as an item', () => {
    const glance = (text: string, repainted: boolean) =>
      readProgress(glanceProgress(startProgress, { text, repainted }, 0), 0)?.text;
    expect([glance('   Compiling on v0.1', true), glance('[1/5', true), glance('[1/50] a', false)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(glance('x:  12%|█  | 5/40 [00:00<00:00]', true)).toBe('5/40');
  });

  it('steps reported out of order only rise', () => {
    const state = said([
      [0, '#9 [2/11] RUN a'],
      [1000, '#10 [5/11] RUN b'],
      [2000, '#9 [3/11] RUN c'],
    ]);
    expect([readProgress(state, 2000)?.text, advancedAtMs(state)]).toEqual(['5/11', 1000]);
  });

  it('the whole is shown rather than the part it is at', () => {
    const layer = (done: number): Said => [done * 1000, `#6 sha256:53633759f9c9 ${done}MB / 9MB 1.1s`];
    const state = said([[0, '#6 [1/7] FROM a'], [500, '#7 [2/7] RUN b'], layer(1), layer(2)]);
    expect(readProgress(state, 2000)?.text).toBe('2/7');
    expect(readProgress(said([layer(1), layer(2)]), 2000)?.text).toBe('2MB/9MB');
  });

  it('a second run of the same tool begins anew', () => {
    const again = said([...steps(9, 1000, 9), [10_000, '[1/40] CC z.o']]);
    expect(readProgress(again, 10_000)).toEqual({ text: '1/40', fraction: 1 / 40, etaMs: null });
    const mocha: Said[] = [
      [0, '    ✔ a'],
      [1, '    ✔ b'],
      [2, '  2 passing (4ms)'],
      [3, '    ✔ c'],
    ];
    expect(readProgress(said(mocha), 3)?.text).toBe('1 test');
  });

  it('a number in passing is not shown as progress', () => {
    expect(readProgress(said([[0, 'loaded 3/5 plugins']]), 0)).toBeNull();
    expect(readProgress(said([[0, 'disk usage 45%']]), 0)).toBeNull();
  });
});

describe('whether it advances', () => {
  it('a signature that is printed again and again has advanced only once', () => {
    const state = said([
      [0, '[1/9] a'],
      [1000, '[2/9] b'],
      [2000, '[2/9] b'],
      [9000, '[2/9] still b'],
    ]);
    expect(advancedAtMs(state)).toBe(1000);
  });

  it('pings, spinners and repeated items are no advance', () => {
    const ping: Said[] = [
      [2000, 'Still creating... [10s elapsed]'],
      [3000, '⠙ working'],
      [4000, 'ping 17'],
    ];
    expect(advancedAtMs(said([[0, '[1/9] a'], [1000, '[2/9] b'], ...ping]))).toBe(1000);
    expect(advancedAtMs(said(ping))).toBeNull();
  });

  it('what is full or through is no stall', () => {
    expect(advancedAtMs(said(steps(9, 1000, 9)))).toBeNull();
    expect(
      advancedAtMs(said([...steps(5, 1000, 9), [9000, 'ninja: build stopped: subcommand failed.']])),
    ).toBeNull();
    expect(
      advancedAtMs(
        said([
          [0, '   Compiling one v0.1.0'],
          [1, '   Compiling two v0.1.0'],
        ]),
      ),
    ).toBeNull();
  });

  it('a bar of something else that came later and is full takes its place', () => {
    expect(
      advancedAtMs(said([...steps(5, 1000, 9), [9000, 'Receiving objects: 100% (402/402)']])),
    ).toBeNull();
  });

  it('dots between two percentages are progress', () => {
    const state = said([
      [0, 'test_a.py .......                    [ 10%]'],
      [1000, 'test_b.py .......                    [ 20%]'],
    ]);
    const dots = { text: 'test_c.py ..', repainted: false };
    const moved = glanceProgress(state, dots, 60_000);
    expect(advancedAtMs(moved)).toBe(60_000);
    expect(advancedAtMs(glanceProgress(moved, dots, 90_000))).toBe(60_000);
  });

  it('a number that may be anything is believed when it keeps rising and is still printed', () => {
    const rising: Said[] = [3, 7, 20, 30].map((value, index) => [index * 1000, `uploaded ${value}%`]);
    expect(advancedAtMs(said(rising))).toBeNull();
    expect(advancedAtMs(said([...rising, [9000, 'uploaded 30%']]))).toBe(3000);
    const jumping: Said[] = [3, 70, 20, 30, 5, 5].map((value, index) => [index * 1000, `cpu ${value}%`]);
    expect(advancedAtMs(said(jumping))).toBeNull();
  });

  it('steps that take long have a longer patience', () => {
    expect(patienceMs(said(steps(4, 90_000)))).toBe(270_000);
    expect(patienceMs(startProgress)).toBe(0);
  });

  it('names the phase as long as it lasts', () => {
    expect(phaseOfProgress(said([[0, 'test a ... ok']]))).toBe('test');
    expect(
      phaseOfProgress(
        said([
          [0, 'test a ... ok'],
          [1, 'test result: ok. 1 passed'],
        ]),
      ),
    ).toBeNull();
  });
});

describe('--progress REGEX', () => {
  test.each([
    [/page (?<done>\d+) of (?<total>\d+)/, 'page 142 of 500', '142/500', 0.284],
    [/(\d+)\/(\d+)/, 'at 142/500 now', '142/500', 0.284],
    [/(?<percent>[\d.]+) ?pc/, '37.5 pc', '37.5%', 0.375],
    [/(\d+)%/, 'x 37% y', '37%', 0.37],
    [/epoch (\d+)/, 'epoch 12', '12', null],
    [/epoch \w+/g, 'epoch twelve', 'epoch twelve', null],
    [/now at (\w+)/y, 'now at alpha', 'alpha', null],
  ])('%s reads %s', (pattern, line, text, fraction) => {
    expect(readProgress(said([[0, line]], pattern), 0)).toEqual({ text, fraction, etaMs: null });
    // A pattern with a memory finds it the second time, too.
    expect(
      advancedAtMs(
        said(
          [
            [0, line],
            [5, line],
          ],
          pattern,
        ),
      ),
    ).toBe(0);
  });

  it('takes the place of the built-in ways, and counts from the first time', () => {
    const state = said(
      [
        [0, 'row 5'],
        [1000, '[3/9] CC a.o'],
      ],
      /row (\d+)/,
    );
    expect([readProgress(state, 1000)?.text, advancedAtMs(state)]).toEqual(['5', 0]);
  });

  it('without groups any change is an advance, back and forth as well', () => {
    const lines: Said[] = [
      [0, 'on A'],
      [1000, 'on B'],
      [2000, 'on A'],
      [9000, 'on A'],
    ];
    expect(advancedAtMs(said(lines, /on \w/))).toBe(2000);
  });

  it('counting down is counting', () => {
    expect(
      advancedAtMs(
        said(
          [
            [0, '9 left'],
            [1000, '8 left'],
            [5000, '8 left'],
          ],
          /(\d+) left/,
        ),
      ),
    ).toBe(1000);
  });
});

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.tuple(fc.nat(120), fc.nat(120)).map(([done, total]) => `[${done}/${total}] CC a.o`),
  fc.nat(120).map((percent) => `[ ${percent}%] Building`),
  fc.constantFrom(
    'running 7 tests',
    'test a ... ok',
    'test b ... ok',
    'test result: ok.',
    '   Compiling a v1',
    '1..3',
    'ok 2',
  ),
);

describe('any output', () => {
  property.prop([
    fc.array(fc.tuple(fc.integer({ min: -10, max: 1e9 }), line), { maxLength: 60 }),
    fc.integer({ min: 0, max: 2e9 }),
  ])('gives a fraction and a time left within their bounds, or none', (lines, nowMs) => {
    const state = said(lines);
    const progress = readProgress(state, nowMs);
    if (progress === null) return;
    const { fraction, etaMs } = progress;
    expect(progress.text).not.toBe('');
    if (fraction !== null) expect(fraction >= 0 && fraction <= 1).toBe(true);
    if (etaMs !== null) expect(etaMs >= 0 && etaMs <= 7 * 86_400_000).toBe(true);
    expect(state.tracks.length).toBeLessThanOrEqual(16);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});
