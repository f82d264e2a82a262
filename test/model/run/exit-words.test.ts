import { expect, test } from 'vitest';
import { exitText } from '../../../src/diagnose/notices/words.js';
import { type Exit, exitWords, stopReasons, stops } from '../../../src/model/run/run.js';

const ended: Exit = { code: 143, signal: 'SIGTERM', provenance: 'recorded' };

test('an end without a reason of ours has none', () => {
  expect(exitWords(ended)).toBe('SIGTERM');
  expect(exitText(ended, 0, null)).toBe('ended by SIGTERM');
});

test.each(stops)('an end by our own limit names it: %s', (stopped) => {
  const exit = { ...ended, stopped };
  expect(exitWords(exit)).toBe(`SIGTERM; ${stopReasons[stopped]}`);
  expect(exitText(exit, 0, null)).toBe(`ended by SIGTERM; ${stopReasons[stopped]}`);
});
