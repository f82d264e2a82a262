import { knownValue, type Reading } from '../../src/model/facts/reading.js';

/** What a read told that does not fail in this test. */
export function known<T>(reading: Reading<T> | undefined): T {
  if (reading === undefined) throw new Error('nothing was read');
  return knownValue(reading, 'it');
}
