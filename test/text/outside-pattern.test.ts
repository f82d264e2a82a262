import { describe, expect, test } from 'vitest';
import { failureLines } from '../../src/control/operations/shared/search-lines.js';
import { compilePattern, isDear } from '../../src/text/outside-pattern.js';

describe('a pattern from outside', () => {
  test.each([
    ['(\\d+)/(\\d+)', ''],
    ['^(?:a+)+ (\\d+)/(\\d+)', ''],
    ['(?<done>\\d+) of (?<total>\\d+)', ''],
    ['(?:\\s*\\w*)*(?:\\s*\\d*)*!', ''],
    ['(?<!no )errors?\\b(?!: 0)', 'i'],
    ['(["\']).*?\\1', ''],
    ['\\b[0-9a-f]{40}\\b', 'i'],
    ['.*foo.*bar.*baz', 's'],
    ['error|warning|fatal|panic|traceback|denied|refused|aborted', 'i'],
    ['(?:[\\w.+-]+)@(?:[\\w-]+\\.)+[a-z]{2,}', 'i'],
    ['^\\s*\\[\\s*(\\d+)\\s*/\\s*(\\d+)\\s*\\]', 'm'],
    ['\\u{1F600}+.', 'u'],
    ['[', ''],
  ])('/%s/%s is taken when it is a regular expression', (source, flags) => {
    let isRegex = true;
    try {
      new RegExp(source, flags);
    } catch {
      isRegex = false;
    }
    expect(compilePattern(source, flags) instanceof RegExp).toBe(isRegex);
  });

  test.each([
    ['x'.repeat(1001), '', /longer than 1000/],
    ['(', '', /not a regular expression \(Unterminated group\)/],
    [`(?:${'a|'.repeat(100)}b){99}`, '', /too many alternatives within repetitions/],
    [`(?:${'\\w|'.repeat(40)}b)+`, 'i', /too many alternatives within repetitions/],
    [`${'(?:a|b|c|d|e|f|g|h|i)'.repeat(12)}`, '', /too many alternatives/],
    [`(?:${'a?'.repeat(60)}b){9}`, '', /too many alternatives/],
    [`${'('.repeat(40)}a${')+'.repeat(40)}`, '', /too many alternatives/],
    // V8 11.3 ends the process on this one: it runs out of memory.
    ['(?:\\b)+'.repeat(20), '', /too many alternatives/],
    ['\\P{L}+', 'u', /Unicode property/],
    ['[^\\p{L}]', 'u', /Unicode property/],
    ['a', 'v', /the flag v/],
  ])('/%s/%s is refused, with what to write instead', (source, flags, refused) => {
    expect(compilePattern(source, flags)).toEqual({
      refused: expect.stringMatching(refused),
      instead: expect.stringMatching(/write|list/),
    });
  });

  test('our own patterns are far from dear', () => {
    for (const written of failureLines) {
      expect(isDear(new RegExp(written.slice(1, written.lastIndexOf('/'))))).toBe(false);
    }
  });
});
