import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { oneLine, quoted, visible } from '../../src/text/visible.js';

describe('characters that are not seen are shown as escapes', () => {
  it.each([
    ['tags', 'a\u{e0041}\u{e007f}b', 'a\\u{e0041}\\u{e007f}b'],
    ['zero width', 'a\u200bb\u200dc\ufeff', 'a\\u200bb\\u200dc\\ufeff'],
    ['right to left', 'a\u202eb\u2066c\u061c', 'a\\u202eb\\u2066c\\u061c'],
    ['escape sequences', '\x1b[31mred\x07\x9b', '\\u001b[31mred\\u0007\\u009b'],
    ['line separators', 'a\u2028b\u2029c\x85', 'a\\u2028b\\u2029c\\u0085'],
    ['variation selectors', 'a\ufe0fb\u{e0100}', 'a\\ufe0fb\\u{e0100}'],
    ['more than one selector', '⚠\ufe0f\ufe0f', '⚠\ufe0f\\ufe0f'],
    ['fillers', '\u3164\u115f\uffa0\u2800\u00ad', '\\u3164\\u115f\\uffa0\\u2800\\u00ad'],
    ['half a character', 'a\ud800b', 'a\\ud800b'],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('leaves everything else as it is', () => {
    const text = 'line\n\tnext: naïve 漢字 → ⚠️ ✓ \u00a0 \\n "quoted" 🎉';
    expect(visible(text)).toBe(text);
  });
});

test('one line stays one line', () => {
  expect(oneLine('a\nb\tc\r\n')).toBe('a\\nb\\tc\\u000d\\n');
});

test('a quotation cannot be ended by what is quoted, and is bounded', () => {
  expect(quoted('a "b" \\ c\n', 100)).toBe('"a \\"b\\" \\\\ c\\n"');
  expect(quoted('x'.repeat(50), 10)).toBe(`"${'x'.repeat(9)}…"`);
  const unit = fc.constantFrom(
    ...'ab"\\\n\t\r…é漢🎉\u202e\u200b\u{e0041}\ufe0f',
    '\ud800',
    '\udc00',
    '\0',
    '\x1b[0m',
  );
  fc.assert(
    fc.property(fc.string({ unit }), fc.integer({ min: 2, max: 50 }), (text, max) => {
      const line = quoted(text, max);
      expect(line).toMatch(/^"(?:[^"\\\n]|\\.)*"$/u);
      expect(visible(line)).toBe(line);
    }),
  );
});
