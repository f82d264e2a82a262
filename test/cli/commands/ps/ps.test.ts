import { describe, expect, it } from 'vitest';
import { endedShown, orderRuns } from '../../../../src/cli/commands/ps/order-runs.js';
import { psLines } from '../../../../src/cli/commands/ps/ps.js';
import { cutToWidth, displayWidth } from '../../../../src/cli/output/display-width.js';
import { fitRows } from '../../../../src/cli/output/live-screen.js';
import { failedRun, type ListedRun, sampleRun, stuckRun } from '../sample-runs.js';

const show = (runs: ListedRun[], columns: number, flags = {}, color = false) =>
  psLines({ runs, unreadable: [] }, flags, { columns, color });

const healthy = sampleRun();

describe('the table of unstuck ps', () => {
  it('runs that need attention come first, then running, then ended runs; lines fit the terminal', () => {
    expect(show([healthy, failedRun, stuckRun], 80)).toEqual([
      'ID    LABEL    HEALTH                  CPU  MEMORY  TIME      LAST LINE',
      'b20f  release  confirmed-stuck: git …   0%   31 MB  00:06:12  Username for http…',
      '7c1e  api      healthy: it prints      12%   84 MB  00:01:01  GET /health 200 3…',
      '04d9  test     exit 1                               00:02:40  2 failed, 140 pas…',
    ]);
  });

  it('with room, ids and reasons are whole', () => {
    expect(show([failedRun, stuckRun], 160).slice(1)).toEqual([
      `b20f11ca9e03  release  confirmed-stuck: ${stuckRun.why}   0%   31 MB  00:06:12  ${stuckRun.lastLine}`,
      `04d9a7715bc2  test     exit 1${' '.repeat(88)}00:02:40  2 failed, 140 passed`,
    ]);
  });

  it('runs of one file of unstuck up stand together', () => {
    const up = (id: string, label: string, more = {}) =>
      sampleRun({ id, label, task: 'up:shop:1a2b3c', tags: ['up'], ...more });
    const runs = [
      up('run_a00000000001', 'db'),
      healthy,
      up('run_a00000000002', 'web'),
      { ...failedRun, task: 'up:shop:1a2b3c', tags: ['up'] },
    ];
    expect(show(runs, 60).map((line) => line.split(/ {2}/)[0])).toEqual([
      'ID',
      'up shop (--task up:shop:1a2b3c): 2 running, 1 ended',
      'a00000000001',
      'a00000000002',
      '04d9',
      'others',
      '7c1e',
    ]);
  });

  it('an id is as long as needed to be unique', () => {
    const other = sampleRun({ id: 'run_7c1e90ffffff', label: 'web' });
    const ids = show([healthy, other, failedRun], 80)
      .slice(1)
      .map((line) => line.split(' ')[0]);
    expect(ids).toEqual(['7c1e90b', '7c1e90f', '04d9']);
  });

  it('an id has a letter: a word of digits would be a process', () => {
    const digits = sampleRun({ id: 'run_549779b18190' });
    const ids = show([digits], 80).map((line) => line.split(' ')[0]);
    expect(ids).toEqual(['ID', '549779b']);
  });

  it('a run that was not sampled yet has no numbers', () => {
    const young = sampleRun({ cpuPercent: 0, residentBytes: 0, why: 'started 1 s ago', uptimeS: 1 });
    expect(show([young], 100)[1]).toBe(
      '7c1e90b2d4f8  api    healthy: started 1 s ago               00:00:01  GET /health 200 3 ms',
    );
  });

  it('never wider than the terminal, whatever was printed, in whatever script', () => {
    const wild = [
      sampleRun({ label: 'ビルド'.repeat(9), lastLine: '進捗 50% 🚀 '.repeat(20), progress: '142/500' }),
      sampleRun({ id: 'run_0123456789ab', lastLine: 'e\u0301'.repeat(300), why: 'x'.repeat(300) }),
      stuckRun,
      failedRun,
    ];
    for (let columns = 1; columns <= 200; columns += 1) {
      for (const line of show(wild, columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('control characters of a program do nothing to the terminal', () => {
    const evil = sampleRun({ label: 'a\x1b]0;title\x07', lastLine: 'x\x1b[2J\ry', why: 'w\x1b[31m' });
    expect(show([evil], 200).join('')).not.toMatch(/[\x00-\x1f]/);
  });

  it('colours only when asked, and without them the same text', () => {
    const coloured = show([healthy, stuckRun, failedRun], 100, {}, true);
    expect(coloured[1]).toContain('\x1b[31mconfirmed-stuck\x1b[39m');
    expect(coloured[1]).toContain('\x1b[1mb20f\x1b[22m\x1b[2m11ca9e03\x1b[22m');
    const plain = coloured.map((line) => line.replace(/\x1b\[\d+m/g, '').trimEnd());
    expect(plain).toEqual(show([healthy, stuckRun, failedRun], 100));
  });

  it('a lost run is lost, an unknown exit is unknown', () => {
    const lost = sampleRun({ status: 'lost' });
    const unknown = sampleRun({
      status: 'exited',
      exit: { code: null, signal: null, provenance: 'unknown' },
    });
    const killed = sampleRun({
      status: 'exited',
      exit: { code: 137, signal: 'SIGKILL', provenance: 'recorded' },
    });
    const text = (run: ListedRun) => show([run], 120)[1];
    expect(text(lost)).toContain('lost: its end was not recorded');
    expect(text(unknown)).toContain('exit unknown');
    expect(text(killed)).toContain('  SIGKILL  ');
  });

  it('older ended runs are counted, --all shows them', () => {
    const ended = Array.from({ length: endedShown + 3 }, (_, n) =>
      sampleRun({ ...failedRun, id: `run_${String(n).padStart(12, '0')}` }),
    );
    expect(show([...ended, healthy], 100)).toHaveLength(1 + 1 + endedShown + 1);
    expect(show([...ended, healthy], 100).at(-1)).toBe('and 3 more ended runs: unstuck ps --all');
    expect(show([...ended, healthy], 100, { all: true })).toHaveLength(1 + 1 + endedShown + 3);
  });

  it('nothing there: what to type; what cannot be read is named', () => {
    expect(show([], 80)).toEqual(['no background runs; start one: unstuck start -- npm run dev']);
    expect(show([], 80, { task: 'ci' })).toEqual(['no run with task ci; list all: unstuck ps --all']);
    const unreadable = [{ directory: '/x/run_1', reason: 'run.json is missing' }];
    expect(psLines({ runs: [], unreadable }, {}, { columns: 80, color: false }).at(-1)).toBe(
      'cannot read /x/run_1: run.json is missing',
    );
  });

  it('the worst first, then the oldest; ended runs by the latest end', () => {
    const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
    const runs = [
      sampleRun({ id: 'run_e1', status: 'exited', startedAt: at(0), uptimeS: 10 }),
      sampleRun({ id: 'run_r2', startedAt: at(5) }),
      sampleRun({ id: 'run_s1', health: 'suspicious', startedAt: at(1) }),
      sampleRun({ id: 'run_e2', status: 'lost', startedAt: at(0), uptimeS: 200 }),
      sampleRun({ id: 'run_r1', startedAt: at(4) }),
      sampleRun({ id: 'run_c1', health: 'confirmed-stuck', startedAt: at(6) }),
    ];
    expect(orderRuns(runs).map(({ id }) => id.slice(4))).toEqual(['c1', 's1', 'r1', 'r2', 'e2', 'e1']);
  });
});

it('what does not fit a screen is counted', () => {
  expect(fitRows(['a', 'b'], 5)).toEqual(['a', 'b']);
  expect(fitRows(['a', 'b', 'c', 'd'], 3)).toEqual(['a', 'b', 'and 2 more lines']);
});

describe('columns of a terminal', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['🚀', 2],
    ['', 0],
  ])('%j takes %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('a wide character is cut whole', () => {
    expect(cutToWidth('日本語', 4)).toBe('日…');
    expect(cutToWidth('日本', 4)).toBe('日本');
    expect(cutToWidth('abc', 0)).toBe('');
  });
});
