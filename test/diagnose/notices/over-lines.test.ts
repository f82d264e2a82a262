import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regexOverLines } from '../../../src/diagnose/notices/pattern.js';
import { compilePattern, isDear } from '../../../src/text/outside-pattern.js';

/** The numbers of the lines that match, all at once. */
function atOnce(regex: RegExp, lines: readonly string[]): number[] {
  const over = regexOverLines(regex);
  if (over === null) throw new Error(`not known: ${regex}`);
  const text = lines.map((line) => `${line}\n`).join('');
  const found = new Set<number>();
  for (let at = 0; at <= text.length; at = over.lastIndex + 1) {
    over.lastIndex = at;
    if (!over.test(text) || over.lastIndex >= text.length) break;
    found.add(text.slice(0, over.lastIndex).split('\n').length - 1);
    over.lastIndex = text.indexOf('\n', over.lastIndex);
  }
  return [...found];
}

const oneByOne = (regex: RegExp, lines: readonly string[]) =>
  lines.flatMap((line, number) => (regex.test(line) ? [number] : []));

const atom = fc.constantFrom(
  ...['a', 'b', ' ', '.', '\\s', '\\S', '\\w', '\\W', '\\d', '\\D', '\\b', '\\B', '^', '$', '\\n', '\\.'],
  ...['[ab]', '[^a]', '[^-a]', '[^]', '[\\s\\S]', '[\\]b]', '[^\\n]', '[\\W_]', '(?:a|b)', '(?<n>a)', '\\t'],
);
const group = fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!');
const { source } = fc.letrec<{ source: string; part: string; quantified: string }>((tie) => ({
  source: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 3 },
    atom,
    tie('quantified'),
    fc.tuple(group, tie('source')).map(([open, inner]) => `${open}${inner})`),
  ),
  quantified: fc
    .tuple(tie('source'), fc.constantFrom('*', '+?', '?', '{1,2}', '|'))
    .map(([inner, quantifier]) => (quantifier === '|' ? `(${inner}|b$)` : `(?:${inner})${quantifier}`)),
}));
const flags = fc.constantFrom('', 'i', 's', 'm', 'd', 'ims');
const line = fc.array(fc.constantFrom('a', 'b', 'A', ' ', '.', '1', '_', '-', '\t', 'é', ']'), {
  maxLength: 5,
});
const lines = fc.array(
  line.map((characters) => characters.join('')),
  { maxLength: 5 },
);

/** null: refused, or what becomes of it would be; the engine may run out of memory on such a pattern. */
function compile(written: string, wanted: string): RegExp | null {
  const regex = compilePattern(written, wanted);
  if (!(regex instanceof RegExp)) return null;
  const over = regexOverLines(regex);
  return over !== null && isDear(over) ? null : regex;
}

describe('a regular expression for many lines at once', () => {
  property.prop([source, flags, lines], { numRuns: 1000 })(
    'finds the lines that match alone',
    (written, wanted, all) => {
      const regex = compile(written, wanted);
      fc.pre(regex !== null);
      expect(atOnce(regex, all)).toEqual(oneByOne(regex, all));
    },
  );

  test('what could go over a line end does not', () => {
    const all = ['a', 'b', 'a b', '', 'ab'];
    expect(atOnce(/a\s*b/, all)).toEqual([2, 4]);
    expect(atOnce(/a[^x]*b/, all)).toEqual([2, 4]);
    expect(atOnce(/^$/, all)).toEqual([3]);
    expect(atOnce(/a$/s, all)).toEqual([0]);
    expect(atOnce(/a(?!\s*b)/, all)).toEqual([0]);
  });

  test.each([
    ['\\u{61}', 'u'],
    ['[a]', 'v'],
    ['\\x0a', ''],
    ['(a)\\1', ''],
    ['\\cJ', ''],
  ])('/%s/%s has no such form, and is searched line by line', (written, wanted) => {
    expect(regexOverLines(new RegExp(written, wanted))).toBe(null);
  });
});
