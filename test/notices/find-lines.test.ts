import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findText } from '../../src/notices/find-lines.js';

/** The same line by line. */
function findPlainly(lines: Buffer, text: string): number[] {
  const newlines: number[] = [];
  let at = 0;
  for (const line of lines.toString('latin1').split('\n').slice(0, -1)) {
    at += line.length + 1;
    if (line.includes(text)) newlines.push(at - 1);
  }
  return newlines;
}

/** Long enough that the rarest byte of a text is looked for. */
function long(first: readonly string[], rest: readonly string[]): Buffer {
  const head = `${'aab '.repeat(600)}\n${first.join('\n')}\n`;
  return Buffer.from(head + `${rest.join('\n')}\n`.repeat(Math.ceil(70_000 / (rest.join('').length + 1))));
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 6 });
const words = fc.array(word, { minLength: 1, maxLength: 20 });

property.prop([words, words, word], { numRuns: 60 })(
  'a text is found in the same lines, whichever byte of it is rare',
  (first, rest, text) => {
    const lines = long(first, rest);
    expect(findText(lines, text)).toEqual(findPlainly(lines, text));
  },
);

test('a text is found after many places that have only its end', () => {
  const lines = long([...Array<string>(40).fill('xxd'), 'aad', 'xxd', 'aad'], ['b']);
  expect(findText(lines, 'aad')).toEqual(findPlainly(lines, 'aad'));
  expect(findText(lines, 'aad')).toHaveLength(2);
});
