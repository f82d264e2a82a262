import { describe, expect, test } from 'vitest';
import { hangCases } from '../../bench/hangs/cases.js';
import { drawChart } from '../../bench/hangs/chart.js';
import { contendersOf } from '../../bench/hangs/contenders.js';
import { chooseCases, parseOptions } from '../../bench/hangs/options.js';
import { scaleBy } from '../../bench/hangs/scale.js';
import { markOf, percentile, scoreOf } from '../../bench/hangs/score.js';
import { listOfMisses, tableOfJudges } from '../../bench/hangs/tables.js';
import { presets } from '../../src/model/run/health.js';
import { healthyCase, resultOf, right, type Said, savedRunOf, stuckCase } from './hang-results.js';

describe('the marks of a case', () => {
  test('an alarm with the right kind that names the right program is a right verdict', () => {
    expect(markOf(resultOf(stuckCase, right), 'unstuck')).toMatchObject({
      missed: false,
      rightVerdict: true,
    });
  });

  test.each([
    ['another kind', { ...right, kind: 'deadlock' }],
    ['another program', { ...right, command: 'sleep' }],
    ['no kind', { ...right, kind: null }],
    ['an honest "unknown"', { ...right, kind: 'unknown' }],
    ['no alarm', { ...right, alarmMs: null }],
  ] satisfies [string, Said][])('%s is no right verdict', (_, said) => {
    expect(markOf(resultOf(stuckCase, said), 'unstuck')?.rightVerdict).toBe(false);
  });

  test('an alarm on a healthy case is a false alarm, whatever its kind', () => {
    const mark = markOf(resultOf(healthyCase, { alarmMs: 5, kind: 'timer' }), 'unstuck');
    expect(mark).toMatchObject({ falseAlarm: true, rightVerdict: false });
  });

  test('a healthy case may lack an explanation, but not have a wrong explanation', () => {
    const kinds = [null, 'unknown', 'timer', 'needs-input'] as const;
    const rights = kinds.map((kind) => markOf(resultOf(healthyCase, { kind }), 'unstuck')?.rightVerdict);
    expect(rights).toEqual([true, true, true, false]);
  });

  test('what was once certain and wrong counts, even if it was taken back', () => {
    const said: Said = { ...right, certainKinds: ['deadlock', 'needs-input'] };
    expect(markOf(resultOf(stuckCase, said), 'unstuck')?.wrongWhileCertain).toBe(true);
    expect(markOf(resultOf(stuckCase, right), 'unstuck')?.wrongWhileCertain).toBe(false);
  });

  test('a tool that only reports "stuck" finds the hang, but has no verdict; a tool that was not run has no mark', () => {
    expect(markOf(resultOf(stuckCase, right, 900), 'no-output')).toMatchObject({
      missed: false,
      rightVerdict: false,
    });
    expect(markOf(resultOf(stuckCase, right), 'read-stdin')).toBeNull();
  });
});

describe('the score', () => {
  const results = [
    resultOf(stuckCase, right, 900),
    resultOf({ ...stuckCase, name: 'missed' }, {}),
    resultOf(healthyCase, {}, 900),
    { ...resultOf({ ...stuckCase, name: 'ended' }, {}), broken: 'it ended' },
  ];

  test('counts what was found, and leaves out what did not do what it is about', () => {
    expect(scoreOf(results, 'unstuck')).toMatchObject({
      stuck: 2,
      healthy: 1,
      found: 1,
      falseAlarms: 0,
      medianMs: 500,
    });
    expect(scoreOf(results, 'no-output')).toMatchObject({ stuck: 2, healthy: 1, found: 1, falseAlarms: 1 });
  });

  test('every miss is listed by name, and what could not be scored, too', () => {
    const list = listOfMisses(results);
    expect(list).toContain('missed (stuck');
    expect(list).toContain('ended (stuck');
    expect(list).not.toContain('sleeps');
    expect(listOfMisses(results.slice(0, 1))).toBe('');
  });

  test('times are printed as they would be with default settings', () => {
    expect(tableOfJudges(contendersOf(savedRunOf(results))).rows[0]).toContain('15 s');
  });

  test('the chart is a single SVG with the counts of the tools', () => {
    const chart = drawChart(contendersOf(savedRunOf(results)));
    expect(chart).toMatch(/^<svg [^>]*>[\s\S]*<\/svg>\n$/);
    expect(chart).toContain('1 of 2');
    expect(chart).toContain('none of 1');
    expect(chart).toContain('on 3 labelled programs');
  });

  test('percentiles', () => {
    expect([percentile([3, 1, 2], 0.5), percentile([3, 1, 2], 0.95), percentile([], 0.5)]).toEqual([
      2,
      3,
      null,
    ]);
  });
});

describe('the cases', () => {
  test('there are at least 80, no name twice, healthy and stuck alike', () => {
    expect(hangCases.length).toBeGreaterThanOrEqual(80);
    expect(new Set(hangCases.map(({ name }) => name)).size).toBe(hangCases.length);
    for (const label of ['stuck', 'healthy'] as const) {
      expect(hangCases.filter((c) => c.label === label).length).toBeGreaterThanOrEqual(40);
    }
  });

  test('a stuck case names an actor, a healthy case does not', () => {
    for (const c of hangCases)
      expect(`${c.name} ${c.actor !== 'nobody'}`).toBe(`${c.name} ${c.label === 'stuck'}`);
  });

  test('the sample in real time is 20 hangs that can be proven, of many families', () => {
    const chosen = chooseCases(hangCases, { quick: false, realTime: true, only: [] });
    expect(new Set(chosen).size).toBe(20);
    expect(new Set(chosen.map(({ family }) => family)).size).toBeGreaterThan(8);
    expect(chosen.every(({ label }) => label === 'stuck')).toBe(true);
  });

  test('the short form has 20 of both kinds', () => {
    const quick = chooseCases(hangCases, { quick: true, realTime: false, only: [] });
    expect(quick.length).toBe(20);
    expect(quick.filter(({ label }) => label === 'healthy').length).toBeGreaterThanOrEqual(8);
  });
});

describe('the options', () => {
  test('all judges unless some are named; Unstuck is always there', () => {
    expect(parseOptions([]).ways.length).toBe(4);
    expect(parseOptions(['--judge', 'unstuck']).ways).toEqual([]);
    expect(parseOptions(['--judge', 'no-output', '--only', 'x', '--quick'])).toEqual({
      quick: true,
      realTime: false,
      withHistory: false,
      save: false,
      asUser: false,
      publish: false,
      only: ['x'],
      ways: ['no-output'],
    });
  });

  test('without the rights of root, the whole may be saved and a part be chosen', () => {
    expect(parseOptions(['--as-user', '--save'])).toMatchObject({ asUser: true, save: true });
    expect(parseOptions(['--only', 'x', '--as-user', '--quick'])).toMatchObject({
      asUser: true,
      only: ['x'],
    });
  });

  test.each([
    [['--judge', 'nobody']],
    [['--only']],
    [['--fast']],
    [['--save', '--quick']],
    [['--as-user', '--save', '--only', 'x']],
    [['--publish', '--as-user']],
  ])('%j is refused with the usage', (args) => {
    expect(() => parseOptions(args)).toThrow('--quick');
  });
});

test('all time constants are the defaults, divided by the same factor', () => {
  const scale = scaleBy(10, 1, 1);
  const { proofSamples, cpuPercent, ioBytes, ...durations } = presets.production;
  for (const [name, ms] of Object.entries(durations)) expect(scale).toHaveProperty(name, ms / 10);
  expect(scale).toMatchObject({ proofSamples, cpuPercent, ioBytes: ioBytes / 10 });
});
