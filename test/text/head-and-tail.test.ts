import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { headAndTail } from '../../src/text/head-and-tail.js';

const marker = /(?:^|\n)… \[([\d,]+) characters omitted\] …\n/;

describe('the first and the last of a text', () => {
  it('leaves what is short enough as it is', () => {
    expect(headAndTail('abc\n', 4)).toEqual({ output: 'abc\n', omitted: 0 });
    expect(headAndTail('', 0)).toEqual({ output: '', omitted: 0 });
  });

  it('reports how much is missing, on a line of its own', () => {
    const { output, omitted } = headAndTail('x'.repeat(13_345), 1000);
    expect(omitted).toBe(12_345);
    expect(output).toBe(`${'x'.repeat(400)}\n… [12,345 characters omitted] …\n${'x'.repeat(600)}`);
  });

  it('cuts between lines when there are any', () => {
    const text = Array.from({ length: 1000 }, (_, number) => `line ${number}\n`).join('');
    const { output } = headAndTail(text, 200);
    const [head = '', tail = ''] = output.split(/… .* …\n/);
    expect(head.endsWith('\n') && text.startsWith(head)).toBe(true);
    expect(tail.startsWith('line ') && text.endsWith(tail)).toBe(true);
  });

  it('gives nothing but the count when nothing may be given', () => {
    expect(headAndTail('abc', 0)).toEqual({ output: '… [3 characters omitted] …\n', omitted: 3 });
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', ' '), maxLength: 300 });

  test.prop([text, fc.integer({ min: 0, max: 200 })])('adds up, and never cuts a character', (text, max) => {
    const { output, omitted } = headAndTail(text, max);
    if (omitted === 0) {
      expect(output).toBe(text);
      return;
    }
    const found = marker.exec(output);
    const line = `… [${omitted.toLocaleString('en-US')} characters omitted] …\n`;
    expect(found?.[1]).toBe(String(omitted));
    const [head = '', tail = ''] = output.split(line);
    const given = text.startsWith(head) ? head : head.slice(0, -1);
    expect(text.startsWith(given) && text.endsWith(tail)).toBe(true);
    expect([0, 1]).toContain(given.length + omitted + tail.length - text.length);
    expect(output.length).toBeLessThanOrEqual(max + line.length + 1);
    expect(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(output)).toBe(false);
  });
});
