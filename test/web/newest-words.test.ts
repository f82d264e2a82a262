import { expect, it } from 'vitest';
import { newestWords } from '../../web/newest-words.js';

it('takes the times from what was just read, and nothing else', () => {
  const read = 'sleep sleeps 11 min 21 s more, then goes on by itself';
  const why = 'no output for 5 min: sleep sleeps 15 min more, then goes on by itself';
  expect(newestWords(why, read)).toBe(`no output for 5 min: ${read}`);
  expect(newestWords('a: in 900 ms it ends', 'in 1.5 s it ends')).toBe('a: in 1.5 s it ends');
  expect(newestWords('it prints', read)).toBe('it prints');
  expect(newestWords(why, 'sleep(7) waits for $& (a|b) [')).toBe(why);
  expect(newestWords('a: $& (7 s', '$& (9 s')).toBe('a: $& (9 s');
});
