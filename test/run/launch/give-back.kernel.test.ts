import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Word, wordLines } from '../../../src/run/launch/give-back.js';

const byte = fc.integer({ min: 1, max: 255 });
const word: fc.Arbitrary<Word> = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
  fc.array(byte, { maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);

it.each(['sh', 'bash'])('%s makes every word again, byte for byte', (shell) => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const texts = words.filter((one) => typeof one === 'string');
      const script = [...wordLines(words), 'printf "%s\\0" "$@"'].join('\n');
      const printed = execFileSync(shell, ['-c', script, shell, ...texts]);
      const expected = Buffer.concat(words.flatMap((one) => [Buffer.from(one as string), Buffer.from([0])]));
      expect(printed.equals(expected)).toBe(true);
    }),
    {
      numRuns: 60,
      examples: [[[Buffer.from([1, 0xc2, 0x5c, 0x80]), '']], [[Buffer.from('\xff\n\n', 'latin1')]]],
    },
  );
});
