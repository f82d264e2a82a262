import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { continuedBytes, unfinishedBytes } from '../../src/text/utf8-cut.js';

describe('where UTF-8 may be cut', () => {
  it.each([
    ['', 0],
    ['a', 0],
    ['a\u00e9', 0],
    ['\u{1f600}', 0],
  ])('%j is whole', (text, count) => {
    expect(unfinishedBytes(Buffer.from(text))).toBe(count);
  });

  it.each([
    [[0xc3], 1],
    [[0x61, 0xe2, 0x82], 2],
    [[0xf0, 0x9f, 0x98], 3],
    [[0xc0], 0],
    [[0xff], 0],
    [[0x80, 0x80, 0x80], 0],
    [[0xe0, 0x80], 0],
    [[0xed, 0xa0], 0],
    [[0xf4, 0x90], 0],
    [[0xf0, 0x80, 0x80], 0],
  ])('%j', (bytes, count) => {
    expect(unfinishedBytes(Buffer.from(bytes))).toBe(count);
  });

  test.prop([fc.string({ unit: 'binary', maxLength: 10 }), fc.nat()])(
    'two parts are the whole',
    (text, at) => {
      const bytes = Buffer.from(text);
      const cut = at % (bytes.length + 1);
      const first = bytes.subarray(0, cut);
      const end = cut - unfinishedBytes(first);
      expect(bytes.subarray(0, end).toString() + bytes.subarray(end).toString()).toBe(bytes.toString());
      const rest = bytes.subarray(cut);
      expect(rest.subarray(continuedBytes(rest)).toString()).not.toContain(
        text.includes('\ufffd') ? '\0\0' : '\ufffd',
      );
    },
  );
});
