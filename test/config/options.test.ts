import { describe, expect, it } from 'vitest';
import { flagOf, variableOf } from '../../src/config/option.js';
import { options } from '../../src/config/options.js';
import { readValue } from '../../src/config/read-value.js';
import { presets } from '../../src/model/run/health.js';

/** Variables that mean something else. */
const taken = [
  'UNSTUCK_HOME',
  'UNSTUCK_RUN_ID',
  'UNSTUCK_WATCHDOG_ENABLED',
  'UNSTUCK_WATCHDOG_TIMEOUT',
  'UNSTUCK_TEST_SESSION',
];
const paths = { baseDir: '/', confined: false, home: null };

describe('the table of options', () => {
  it('derives flags and variables from keys', () => {
    expect(flagOf({ key: 'sameLinePulses' })).toBe('--same-line-pulses');
    expect(variableOf({ key: 'sameLinePulses' })).toBe('UNSTUCK_SAME_LINE_PULSES');
    const variables = options.map(variableOf);
    expect(new Set([...variables, ...taken]).size).toBe(variables.length + taken.length);
  });

  it('has valid defaults', () => {
    for (const row of options) {
      if ('default' in row) expect(readValue(row, row.default, paths), row.key).toHaveProperty('value');
    }
  });

  it('has an option for every number of a preset', () => {
    const thresholds = options.flatMap((row) => ('threshold' in row ? [row.threshold] : []));
    expect(thresholds.toSorted()).toEqual(Object.keys(presets.production).toSorted());
  });
});
