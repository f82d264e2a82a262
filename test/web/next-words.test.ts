import { expect, it } from 'vitest';
import { nextWords } from '../../web/next-words.js';

const here = { stop: true, answer: true };

it('names the buttons of the page in place of commands', () => {
  expect(nextWords('answer it on /dev/pts/0, or stop it: kill 4825', here)).toBe(
    'answer it here, or stop it (“Stop …”)',
  );
  expect(nextWords('stop it, it cannot go on: kill 4666', here)).toBe('stop it, it cannot go on (“Stop …”)');
  expect(nextWords('stop that part only: kill 4380', here)).toBe(
    'stop that part only (“Stop this part …” in the graph)',
  );
});

it('keeps commands that the page has no button for', () => {
  const more = 'see the stacks, which ends it: kill -QUIT 7, or stop what was left behind: kill 8';
  expect(nextWords(more, here)).toBe(more);
  const readOnly = 'answer it on /dev/pts/0, or stop it: kill 4825';
  expect(nextWords(readOnly, { stop: false, answer: false })).toBe(readOnly);
});

it('names no pid of another machine, and stops no whole run for a part', () => {
  const there = { stop: false, answer: false, elsewhere: 'build/run_1' };
  expect(nextWords('stop it: kill 4825', there)).toBe('stop it: unstuck kill build/run_1');
  expect(nextWords('stop that part only: kill 4380', there)).toBe('stop that part only');
});
