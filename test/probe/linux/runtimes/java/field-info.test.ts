import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseFieldNumbers, parseFieldStream } from '../../../../../src/probe/linux/runtimes/java/classes.js';

describe('the fields of a Java class', () => {
  test('in six numbers each, to JDK 20', () => {
    const numbers = [0x2, 10, 11, 0, (16 << 2) | 1, 0, 0x8, 12, 13, 5, ((0x8000 << 2) & 0xffff) | 1, 2];
    const bytes = Buffer.from(new Uint16Array(numbers).buffer);
    expect(parseFieldNumbers(bytes, 2)).toEqual([
      { name: 10, signature: 11, isStatic: false, offset: 16 },
      { name: 12, signature: 13, isStatic: true, offset: 0x8000 },
    ]);
    expect(parseFieldNumbers(bytes, 3)).toBeNull();
  });

  test('a field without an offset yet has offset -1', () => {
    const bytes = Buffer.from(new Uint16Array([0, 1, 2, 0, 16 << 2, 0]).buffer);
    expect(parseFieldNumbers(bytes, 1)?.[0]?.offset).toBe(-1);
  });

  /** 190 is the last number of one byte; 191 is 0xc0 0x01, 1000 is 0xe9 0x0d. */
  test('in a stream, since JDK 21', () => {
    const plain = [11, 12, 17, 3, 1];
    const optional = [0xbf, 0xc0, 0x01, 0xe9, 0x0d, 9, 0b10101 + 1, 5, 6, 7];
    expect(parseFieldStream(Buffer.from([4, 2, ...plain, ...optional, ...plain, 0]))).toEqual([
      { name: 10, signature: 11, isStatic: false, offset: 16 },
      { name: 190, signature: 191, isStatic: true, offset: 1000 },
      { name: 10, signature: 11, isStatic: false, offset: 16 },
    ]);
  });

  test('a stream that is cut off', () => {
    const whole = [2, 1, 11, 12, 17, 3, 1];
    expect(parseFieldStream(Buffer.from(whole))).toHaveLength(1);
    expect(parseFieldStream(Buffer.from(whole.slice(0, -1)))).toBeNull();
    expect(parseFieldStream(Buffer.from([...whole.slice(0, -1), 0]))).toBeNull();
    expect(parseFieldStream(Buffer.alloc(0))).toBeNull();
  });

  property.prop([fc.uint8Array({ maxLength: 400 })])('any bytes are read without an error', (bytes) => {
    expect(() => parseFieldStream(Buffer.from(bytes))).not.toThrow();
    expect(() => parseFieldNumbers(Buffer.from(bytes), bytes.length)).not.toThrow();
  });
});
