import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalFilter } from '../../../src/cli/output/terminal-filter.js';

function filtered(...chunks: (Buffer | string)[]): string {
  const filter = new TerminalFilter();
  return chunks.map((chunk) => filter.push(chunk)).join('') + filter.end();
}

describe('output of a program on the terminal of a person', () => {
  it.each([
    ['plain text\nand more\t\n', 'plain text\nand more\t\n'],
    ['\x1b[1;31mred\x1b[0m\n', '\x1b[1;31mred\x1b[0m\n'],
    ['\x1b[38:5:1mred\n', '\x1b[38:5:1mred\n\x1b[0m'],
    ['10%\r\x1b[K20%\n', '10%\r\x1b[K20%\n'],
    ['a\x1b]52;c;ZXZpbA==\x07b', 'ab'],
    ['a\x1b]52;c;ZXZpbA==\x1b\\b', 'ab'],
    ['a\x1b]0;title\x07b', 'ab'],
    ['a\x1b]0;no end\nb', 'a\nb'],
    ['a\x1bP+q544e\x1b\\b', 'ab'],
    ['a\x1b[6nb\x1b[cb\x1b[?1049hb\x1b[2Jb\x1b[10;10Hb', 'abbbbb'],
    ['a\u009b6nb\u009d52;c;eA==\x07c', 'a6nb52;c;eA==c'],
    ['a\x07\b\x7f\x00b', 'ab'],
    ['a\x1b(0b\x1bcb', 'abb'],
    ['a\x1b]0;x\x1b[31mb', 'a\x1b[31mb\x1b[0m'],
    ['a\x1b', 'a'],
    [`a\x1b[${'1;'.repeat(100)}1mb`, 'ab'],
    ['日本語 é', '日本語 é'],
  ])('%j is shown as %j', (output, shown) => {
    expect(filtered(output)).toBe(shown);
  });

  const parts = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\x1b',
        '[',
        ']',
        '52;c;',
        '31m',
        '\x1b[0m',
        '\x07',
        '\x1b\\',
        '\n',
        '\x9c',
        'P',
        'é',
        '日',
      ),
    ),
    { maxLength: 40 },
  );

  property.prop([parts, fc.array(fc.nat(200), { maxLength: 8 })])(
    'cut anywhere it is the same, and nothing but colours is obeyed',
    (list, cuts) => {
      const bytes = Buffer.from(list.join(''));
      const whole = filtered(bytes);
      const places = [...cuts, bytes.length].map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
      let from = 0;
      const chunks = places.map((to) => {
        const chunk = bytes.subarray(from, to);
        from = to;
        return chunk;
      });
      expect(filtered(...chunks)).toBe(whole);
      const rest = whole.replace(/\x1b\[(?:[\d;:]*m|[012]?K)/g, '');
      expect(rest).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
      expect(filtered(whole)).toBe(whole);
    },
  );
});
