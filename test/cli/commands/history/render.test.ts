import { expect, it } from 'vitest';
import {
  renderCommands,
  renderCsv,
  renderHistory,
  renderKey,
  sparkline,
} from '../../../../src/cli/commands/history/render.js';
import type { CommandHistory } from '../../../../src/control/history/history.js';
import { simulatedRun } from '../../../diagnose/history/simulated.js';

const failed = { code: 1, signal: null, provenance: 'recorded' as const };
const runs = [240, 250, 100, 240, 480].map((s, at) => simulatedRun(s * 1000, 41_000, at + 1));
runs[2] = { ...simulatedRun(100_000, 41_000, 3), exit: failed, lines: null };

const history: CommandHistory = {
  version: 1,
  key: '0123456789abcdef',
  command: 'npm test \u001b[31m',
  project: '/home/me/app',
  runs,
  usual: { durationMs: { median: 240_000, p95: 302_000 }, longestSilenceMs: 41_000 },
  trend: 'slower by 30 % since Tuesday',
  outliers: [runs[4]?.id ?? ''],
};

it('shows what is usual, the trend, a bar per run and the last runs', () => {
  const lines = renderHistory(history, { limit: 2, columns: Number.POSITIVE_INFINITY });
  expect(lines.slice(0, 5)).toEqual([
    expect.stringMatching(/^npm test \S+ {3}in \/home\/me\/app$/),
    '5 runs, 4 successful: usually 4 min, 95 % within 5 min 2 s, silent for 41 s at most',
    'slower by 30 % since Tuesday',
    '▅▅×▅█',
    '',
  ]);
  expect(lines[0]).not.toContain('\u001b');
  expect(lines).toHaveLength(8);
  expect(lines[6]).toMatch(/8 min .* ok {2,}unusual$/);
});

it('no line is wider than the terminal', () => {
  for (const columns of [10, 40, 80])
    for (const line of [
      ...renderHistory(history, { limit: 5, columns }).slice(5),
      ...renderCommands([history], columns),
    ])
      expect([...line].length).toBeLessThanOrEqual(columns);
});

it('too few runs say nothing', () => {
  const few = { ...history, usual: null, trend: null, runs: runs.slice(0, 1) };
  expect(renderHistory(few, { limit: 9, columns: 99 })[1]).toBe(
    '1 run, 1 successful: too few to say what is usual',
  );
  expect(sparkline([])).toBe('');
});

it('a table as CSV, whose cells are no formulas', () => {
  const [head, first, , third] = renderCsv([
    { ...(runs[0] as (typeof runs)[0]), phases: ['=1+1', 'a,"b"'] },
    ...runs,
  ]);
  expect(head?.split(',')).toHaveLength(11);
  expect(first).toMatch(/,"'=1\+1;a,""b"""$/);
  expect(third).toMatch(/^run_\w+,2023-[^,]+,250000,41000,10,exited,0,,50,1000000,$/);
});

it('explains the key', () => {
  const key = { id: '0123456789abcdef', command: 'vitest --shard=N/N', project: '/p', directory: 'a' };
  expect(renderKey(key, 3).join('\n')).toMatch(
    /^key {8}0123456789abcdef\ncommand .*N\/N.*\nproject .*\ndirectory .*\nruns {7}3$/,
  );
  expect(renderKey({ ...key, project: null }, 0)[2]).toMatch(/given/);
});
