import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownThreadCpuMs } from '../../../src/probe/linux/machine/own-process.js';
import { withinTime } from '../../../src/run/output/within-time.js';
import { compilePattern } from '../../../src/text/outside-pattern.js';

/** Compiling included; of CPU time, as the machine may be busy with something else. */
const boundMs = 100;
const lineCharsMax = 64 * 1024;

function cpuOf(work: () => unknown): number {
  const beganMs = ownThreadCpuMs();
  work();
  return ownThreadCpuMs() - beganMs;
}

describe('work within time', () => {
  test('gives what it gave', () => {
    expect(withinTime(() => ({ found: 3 }))).toEqual({ value: { found: 3 } });
  });

  test.each([
    ['nested repetition', /^(?:a+)+ (\d+)/, 60],
    ['alternatives that overlap', /^(a|aa)+$/, 60],
    ['a look ahead', /^(?=(a+)+$)/, 60],
    ['a look behind', /(?<=^b(?:a+)+)!/, 60],
    ['a back-reference', /^(a+)+\1+$/, 60],
    ['the square of a long line', /.*.*b/, lineCharsMax],
    ['an empty repetition', /(?:a?){99}(?:a?){99}(?:a?){99}b/, 200],
  ])('is interrupted: %s', (_, regex, chars) => {
    const line = `${'a'.repeat(chars)}!`;
    const tookMs = cpuOf(() => expect(withinTime(() => regex.test(line))).toBeNull());
    expect(tookMs).toBeLessThan(boundMs);
    expect(withinTime(() => 'the next')).toEqual({ value: 'the next' });
  });

  test('is interrupted also when it is no regular expression that takes long', () => {
    expect(
      withinTime(() => {
        for (;;);
      }),
    ).toBeNull();
  });
});

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'ab',
    'é',
    '.',
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[ab]',
    '[^a]',
    '[a-z]',
    '[à-ž]',
    '[^\\n]',
  ],
  ...['\\b', '\\B', '^', '$', '(?=a)', '(?!b)', '(?<=a)', '(?<!b)', '\\1', ' '],
);
const count = fc.constantFrom(
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{3}',
  '{9}',
  '{99}',
  '{1,99}',
  '{0,3}',
  '{3,}?',
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    atom,
    fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 12 }).map((parts) => `(?:${parts.join('|')})`),
    fc.tuple(tie('pattern'), count).map(([body, times]) => `(?:${body})${times}`),
    fc.tuple(tie('pattern'), count).map(([body, times]) => `(${body})${times}`),
    // The same again and again: what makes the engine slow.
    fc
      .tuple(atom, count, fc.integer({ min: 1, max: 60 }))
      .map(([body, times, n]) => `(?:${body})${times}`.repeat(n)),
    fc
      .tuple(atom, fc.integer({ min: 2, max: 80 }), count)
      .map(([one, n, times]) => `(?:${Array(n).fill(one).join('|')})${times}`),
  ),
}));
const line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('a', 'ab', 'aé', 'b ', '1', '\u4e00'),
      fc.constantFrom(0, 9, 60, 3000, lineCharsMax),
    )
    .map(([part, chars]) => `${part.repeat(chars / part.length)}!`),
  fc.string({ maxLength: 200 }),
);

describe('any pattern on any line', () => {
  property.prop([pattern, fc.constantFrom('', 'i', 'm', 's', 'iu', 'g'), line], { numRuns: 400 })(
    'is refused, or through within the bound, or interrupted',
    (source, flags, text) => {
      const readMs = cpuOf(() => compilePattern(source, flags));
      expect(readMs).toBeLessThan(boundMs);
      const regex = compilePattern(source, flags);
      if (!(regex instanceof RegExp)) return;
      // The engine makes code of it anew for the second use, and for each kind of text.
      for (const one of ['', '', '\u0100', text, text]) {
        regex.lastIndex = 0;
        expect(cpuOf(() => withinTime(() => regex.test(one)))).toBeLessThan(boundMs);
      }
    },
    60_000,
  );
});
