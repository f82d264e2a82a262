import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { OptionRow } from '../../src/config/option.js';
import { options } from '../../src/config/options.js';
import { printValue } from '../../src/config/print-value.js';
import { readValue } from '../../src/config/read-value.js';
import { validValues } from './valid-values.js';

const paths = { baseDir: '/somewhere', confined: false, home: '/home/ada' };

const row = (key: string) => options.find((one) => one.key === key) as OptionRow;
const read = (key: string, raw: unknown) => readValue(row(key), raw, paths);

describe('values', () => {
  it.each([
    ['timeout', '500ms', 500],
    ['timeout', '1.5h', 5_400_000],
    ['timeout', 90, 90_000],
    ['timeout', '0', 0],
    ['timeout', '0.2ms', 1],
    ['cpu', '2.5%', 2.5],
    ['cpu', 0.25, 0.25],
    ['io', '10k', 10_240],
    ['io', '1 ', 1],
    ['killOn', 'Certain', 'certain'],
    ['pty', 'yes', true],
    ['pty', 'off', false],
    ['label', ' nightly ', 'nightly'],
    ['label', '', null],
    ['report', 'a/../b.json', '/somewhere/b.json'],
    ['report', '~/b.json', '/home/ada/b.json'],
    ['report', '/tmp/b.json', '/tmp/b.json'],
    ['report', null, null],
    ['progress', '', null],
    ['phase', [], []],
  ])('%s: %j is %j', (key, raw, value) => {
    expect(read(key, raw)).toEqual({ value });
  });

  it('a list may be a text with a line for each entry', () => {
    const reading = read('phase', 'link=ld|mold\nempty=^$');
    expect(reading).toEqual({
      value: [
        { name: 'link', pattern: /ld|mold/ },
        { name: 'empty', pattern: /^$/ },
      ],
    });
  });

  it.each([
    ['timeout', 'soon', /not a duration from 0 to 24d/],
    ['timeout', '-5s', /not a duration/],
    ['timeout', '25d', /to 24d/],
    ['timeout', true, /not a duration/],
    ['timeout', null, /not a duration/],
    ['sample', '1ms', /from 20ms/],
    ['cpu', 'much', /not a number from 0 to 100000/],
    ['cpu', -1, /not a number/],
    ['proofSamples', '2.5', /not a whole number from 2/],
    ['io', '5 apples', /not a number of bytes/],
    ['io', '9999999999999999999', /not a number of bytes/],
    ['killOn', 'maybe', /not one of never, certain, high, medium/],
    ['killOn', ['certain'], /not one of/],
    ['pty', 'perhaps', /neither true nor false/],
    ['label', 'a\u001b[31mb', /not a text of at most 80/],
    ['label', 'x'.repeat(81), /not a text of at most 80/],
    ['report', 'a\0b', /not a path/],
    ['report', 5, /not a path/],
    ['progress', '(', /not a regular expression \(Unterminated group\)/],
    ['progress', 'x'.repeat(1001), /longer than 1000/],
    ['progress', `(?:${'[ab]|'.repeat(150)}c){99}`, /too many alternatives within repetitions/],
    ['progress', {}, /not a regular expression/],
    ['phase', 'no equals sign', /NAME=REGEX/],
    ['phase', ['a=b', 'link=['], /whose link is not a regular expression/],
    ['phase', Array.from({ length: 101 }, () => 'a=b'), /more than 100 entries/],
  ])('%s: %j is refused', (key, raw, complaint) => {
    expect(read(key, raw)).toMatchObject({ complaint: expect.stringMatching(complaint), hint: /./ });
  });

  it('a misspelt choice gets the nearest valid choice as a hint', () => {
    expect(read('killOn', 'certian')).toMatchObject({ hint: 'did you mean certain?' });
  });

  const anyValue = fc.oneof(
    fc.constantFrom(...options.flatMap(validValues)),
    fc.nat().map((count) => `${count}ms`),
    fc
      .tuple(fc.nat({ max: 999 }), fc.constantFrom('ms', 's', 'm', 'h', 'k', '%', ''))
      .map((pair) => pair.join('')),
    fc.double({ min: 0, max: 200, noNaN: true }),
    fc.string().map((source) => `name=${source}`),
    fc.jsonValue(),
  );

  property.prop([fc.constantFrom(...options), anyValue], { numRuns: 2000 })(
    'printing and reading again gives the same value, or it was never read',
    (one, raw) => {
      const reading = readValue(one, raw, paths);
      if (!('value' in reading)) {
        expect(reading.complaint).toMatch(/^(which|where|whose) /);
        return;
      }
      const printed = printValue(one, reading.value);
      expect(readValue(one, JSON.parse(JSON.stringify(printed)), paths)).toEqual(reading);
      // As a person would type it.
      if (typeof printed !== 'object') expect(readValue(one, String(printed), paths)).toEqual(reading);
    },
  );

  it('every option has valid values that are read as something else than its default', () => {
    for (const one of options) {
      const printed = validValues(one).map((raw) => {
        const reading = readValue(one, raw, paths);
        return 'value' in reading ? JSON.stringify(printValue(one, reading.value)) : reading.complaint;
      });
      expect(new Set(printed).size, one.key).toBe(validValues(one).length);
    }
  });
});
