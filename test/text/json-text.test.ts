import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../src/text/json-text.js';

const treacherous = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const hostile = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\u009b31m',
      '\u202e',
      '\u2066',
      '\u200f',
      '\u061c',
      '\u2028',
      '\\',
      '\\u202e',
      '"',
      '\x7f',
    ),
  ),
);

describe('JSON that leaves us', () => {
  it('spells out C1 controls and marks that turn the direction of text', () => {
    const text = jsonText({ line: 'a\u009b31m \u202eevil\u202c \u2028 \u061c\u200e \\u202e é' });
    expect(text).toBe('{"line":"a\\u009b31m \\u202eevil\\u202c \\u2028 \\u061c\\u200e \\\\u202e é"}');
  });

  property.prop([hostile, fc.string({ unit: 'binary' })])('is read as the same value', (parts, key) => {
    const value = { [`k${key}`]: parts.join(''), parts };
    const text = jsonText(value);
    expect(text).not.toMatch(treacherous);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  });
});
