import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawChart } from '../../bench/hangs/chart.js';
import { newestSources, page } from '../../bench/hangs/publish.js';
import {
  publishedContenders,
  renderPublished,
  replacePublished,
  type Source,
} from '../../bench/hangs/published.js';
import { parseSavedRun, type SavedRun } from '../../bench/hangs/saved-run.js';
import { healthyCase, resultOf, right, savedRunOf, stuckCase } from './hang-results.js';

const root = resolve(import.meta.dirname, '../..');

const second = { ...stuckCase, name: 'asks-too' };
const asRoot: Source = {
  rights: 'root',
  file: 'bench/results/root.json',
  run: savedRunOf([resultOf(stuckCase, right, 900), resultOf(second, right), resultOf(healthyCase, {}, 900)]),
};
const asUser: Source = {
  rights: 'user',
  file: 'bench/results/user.json',
  run: {
    ...savedRunOf([
      resultOf(stuckCase, right, 900),
      { ...resultOf(second, {}), broken: 'it ended: /home/somebody' },
      resultOf(healthyCase, { alarmMs: 5, kind: 'needs-input', health: 'likely-stuck' }),
    ]),
    skipped: [{ name: 'frozen', why: 'root only: x' }],
  },
};

describe('what is published', () => {
  const text = renderPublished([asRoot, asUser]);

  test('has a row for Unstuck as root, a row for Unstuck as a normal user, and rows for the other tools as root', () => {
    const rows = text.split('\n').map((line) => line.match(/^\| ([^|]+?) +\| +(\d of \d) \|/)?.slice(1));
    expect(rows.filter(Boolean)).toEqual([
      ['Unstuck', '2 of 2'],
      ['Unstuck, as a normal user', '1 of 1'],
      ['no output for 10 min', '1 of 2'],
    ]);
    expect(drawChart(publishedContenders([asRoot, asUser]))).toContain('Unstuck, as a normal user');
  });

  test('counts a family by the cases that each run had', () => {
    expect(text).toMatch(/\| prompts +\| +2 stuck \| +2 \| +1 of 1 \| +1 \|/);
    expect(text).toMatch(/\| sleepers +\| 1 healthy \| +1 \| +0 \| +0 \|/);
  });

  test('names every miss, whatever was not scored and whatever was left out, and no path', () => {
    expect(text).toContain('**What Unstuck got wrong** as root: nothing.');
    expect(text).toContain(
      '- `sleeps` (healthy; timer): FALSE ALARM. It said likely-stuck, low, needs-input',
    );
    expect(text).toContain('Not scored: `asks-too` (it ended).');
    expect(text).toContain('`frozen`');
    expect(text).not.toContain('/home');
  });

  test('takes the place of what was there, and nothing else', () => {
    const before = readFileSync(join(root, page), 'utf8');
    const after = replacePublished(before, text);
    expect(replacePublished(after, renderPublished(newestSources(root)))).toBe(before);
    expect(after).toContain(text);
    expect(() => replacePublished('no such lines', text)).toThrow('has lost the lines');
  });

  test('is in the docs as the newest saved runs have it', () => {
    const sources = newestSources(root);
    expect(readFileSync(join(root, page), 'utf8')).toContain(renderPublished(sources));
    expect(readFileSync(join(root, 'docs/hangs.svg'), 'utf8')).toBe(drawChart(publishedContenders(sources)));
  });
});

describe('a saved run', () => {
  const { run } = asUser;
  const withCase = (change: object): object => ({ ...run, cases: [{ ...run.cases[0], ...change }] });

  test('is read as it was written', () => {
    expect(parseSavedRun(JSON.stringify(run))).toEqual(JSON.parse(JSON.stringify(run)));
  });

  test.each([
    ['no scores', { ...run, scores: [] }],
    ['an unknown judge', { ...run, scores: [{ ...run.scores[0], judge: 'x' }] }],
    ['an unknown label', withCase({ label: 'fine' })],
    ['a name without end', withCase({ name: 'x'.repeat(10_000) })],
    ['a negative time', withCase({ watchedMs: -1 })],
    ['something else', [] satisfies SavedRun[]],
  ])('%s is refused', (_, content) => {
    expect(() => parseSavedRun(JSON.stringify(content))).toThrow();
  });
});
