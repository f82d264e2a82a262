import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineMatcher } from '../../../src/supervise/background/line-matcher.js';

function pushAll(pattern: string, chunks: (string | Buffer)[]): { line: string; end: number } | null {
  const matcher = new LineMatcher(pattern);
  for (const chunk of chunks) {
    const match = matcher.push(Buffer.from(chunk));
    if (match !== null) return match;
  }
  return null;
}

describe('D2: a text is looked for line by line', () => {
  test('the end is behind the newline of the line that matched, not behind the chunk', () => {
    expect(pushAll('READY', ['one\nREADY now\nthree\n'])).toEqual({ line: 'READY now', end: 14 });
  });

  test('across the border of chunks', () => {
    expect(pushAll('READY', ['one\nREA', 'DY'])).toEqual({ line: 'READY', end: 9 });
  });

  test('a prompt has no newline', () => {
    expect(pushAll('word:', ['Password: '])).toEqual({ line: 'Password: ', end: 10 });
  });

  test('a regular expression with flags, from the beginning of a line to its end', () => {
    expect(pushAll('/^ready$/i', ['not ready\r\nREADY\r\n'])?.line).toBe('READY');
    expect(pushAll('/^ready$/i', ['not ready\n'])).toBeNull();
  });

  test('a text that only looks like a path is a text', () => {
    expect(pushAll('/usr/bin', ['found /usr/bin/env\n'])?.line).toBe('found /usr/bin/env');
  });

  test('no regular expression: the error says so', () => {
    expect(() => new LineMatcher('/(/')).toThrow(/no regular expression/);
  });

  test('E1: one that would take for ever is interrupted, with a clear error', () => {
    const matcher = new LineMatcher('/^(a+)+$/');
    expect(() => matcher.push(Buffer.from(`${'a'.repeat(60)}b\n`))).toThrow(/takes too long/);
  });

  test('a line of 10 MB is kept in constant memory, and what follows it is found where it is', () => {
    const long = Buffer.alloc(1024 * 1024, 'x');
    const chunks = [...Array<Buffer>(10).fill(long), Buffer.from('\nREADY\n')];
    expect(pushAll('READY', chunks)).toEqual({ line: 'READY', end: 10 * 1024 * 1024 + 7 });
  });

  property.prop([fc.array(fc.constantFrom('a\n', 'b', 'needle', '\n', 'né\n')), fc.array(fc.nat(5))])(
    'the same is found however the bytes are cut',
    (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      chunks.push(bytes.subarray(at));
      const whole = pushAll('needle', [bytes]);
      const piecewise = pushAll('needle', chunks);
      expect(piecewise === null).toBe(whole === null);
      if (whole === null || piecewise === null) return;
      // Cut in the middle of a line or of a character, less of it has been seen.
      expect(whole.line.startsWith(piecewise.line.replace(/\ufffd$/, ''))).toBe(true);
    },
  );
});
