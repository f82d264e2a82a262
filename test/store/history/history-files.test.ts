import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PastRun } from '../../../src/model/run/past-run.js';
import { HistoryFiles, historyIds } from '../../../src/store/history/history-files.js';
import { historyKey } from '../../../src/store/history/history-key.js';

let home: string;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-history-'));
});

afterEach(() => {
  fs.rmSync(home, { recursive: true });
});

const key = historyKey('npm test', '/', null);
const files = () => new HistoryFiles(home, key.id);
const dir = () => path.join(home, 'history', key.id);

function pastRun(number: number): PastRun {
  return {
    id: `run_${number.toString(16).padStart(12, '0')}`,
    startedAt: new Date(1_700_000_000_000 + number * 60_000).toISOString(),
    durationMs: 1000 + number,
    longestSilenceMs: 500,
    lines: 12,
    outcome: 'exited',
    exit: { code: 0, signal: null, provenance: 'recorded' },
    cpuPercent: 90,
    residentBytes: 1e8,
    phases: ['compile', 'test'],
    etaError: 0.1,
  };
}

const add = (...numbers: number[]) => {
  for (const number of numbers) files().append(pastRun(number), key);
};
const read = (max = 200) => files().read(max);
const numbers = (max = 200) => read(max).map(({ durationMs }) => durationMs - 1000);

describe('a history', () => {
  it('has what was added, oldest first, and is readable by its owner only', () => {
    add(1, 2, 3);
    expect(read()).toEqual([1, 2, 3].map((n) => ({ ...pastRun(n), command: 'npm test', project: '/' })));
    expect(numbers(2)).toEqual([2, 3]);
    expect(fs.statSync(path.join(dir(), '1.jsonl')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(dir()).mode & 0o777).toBe(0o700);
  });

  it('a run that is added again is there once', () => {
    add(1, 2, 1, 2, 2);
    expect(numbers()).toEqual([1, 2]);
  });

  it('a line that two writers added at once counts once', () => {
    add(1);
    const file = path.join(dir(), '1.jsonl');
    fs.appendFileSync(file, fs.readFileSync(file));
    expect(numbers()).toEqual([1]);
  });

  it('a torn last line costs nothing else, wherever it was torn', () => {
    add(1, 2);
    const file = path.join(dir(), '1.jsonl');
    const whole = fs.readFileSync(file);
    const second = whole.indexOf('\n') + 1;
    for (let end = second + 1; end < whole.length - 1; end += 7) {
      fs.writeFileSync(file, whole.subarray(0, end));
      expect(numbers()).toEqual([1]);
      add(3);
      expect(numbers()).toEqual([1, 3]);
      add(2);
      expect(numbers()).toEqual([1, 3, 2]);
    }
  });

  it.each([
    ['binary rubbish', () => Buffer.alloc(3000, 0xfe)],
    ['something else', () => '# notes\nbuy milk\n'],
    ['far too much', () => Buffer.alloc(2 ** 20, 'x')],
  ])('%s in its place is set aside', (_, content) => {
    fs.mkdirSync(dir(), { recursive: true });
    fs.writeFileSync(path.join(dir(), '1.jsonl'), content());
    expect(read()).toEqual([]);
    add(1);
    expect(numbers()).toEqual([1]);
    expect(fs.readdirSync(dir()).sort()).toEqual(['1.jsonl', '1.jsonl.set-aside']);
  });

  it('a link or a directory in its place is not followed', () => {
    fs.mkdirSync(dir(), { recursive: true });
    const elsewhere = path.join(home, 'elsewhere');
    fs.writeFileSync(elsewhere, 'mine\n');
    fs.symlinkSync(elsewhere, path.join(dir(), '1.jsonl'));
    expect(read()).toEqual([]);
    add(1);
    expect(numbers()).toEqual([1]);
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('mine\n');
  });

  it('lines of a later version or with wrong values are left out', () => {
    add(1);
    const line = JSON.stringify({ ...pastRun(2), command: 'npm test', project: null });
    const bad = [
      line.replace('"exited"', '"vanished"'),
      line.replace('"durationMs":1002', '"durationMs":-1'),
      line.replace('"phases":["compile","test"]', '"phases":3'),
      '{"id":"run_',
    ];
    fs.appendFileSync(path.join(dir(), '1.jsonl'), `${bad.join('\n')}\n${line}\n`);
    expect(numbers()).toEqual([1, 2]);
  });

  it('is bounded, and the last 200 runs are always there', () => {
    for (let number = 1; number <= 1500; number++) {
      add(number);
      if (number % 97 === 0) expect(numbers()).toHaveLength(Math.min(number, 200));
    }
    expect(numbers()).toEqual(Array.from({ length: 200 }, (_, at) => 1301 + at));
    const kept = fs.readdirSync(dir());
    expect(kept).toHaveLength(2);
    const bytes = kept.reduce((sum, name) => sum + fs.statSync(path.join(dir(), name)).size, 0);
    expect(bytes).toBeLessThan(400 * 1024);
  });

  it('can be forgotten', () => {
    add(1);
    expect(files().forget()).toBe(true);
    expect(files().forget()).toBe(false);
    expect(read()).toEqual([]);
    expect(fs.readdirSync(path.join(home, 'history'))).toEqual([]);
  });

  it('of more than 1,000 commands those go that were used longest ago', () => {
    const folder = path.join(home, 'history');
    for (let number = 0; number < 1000; number++) {
      const id = number.toString(16).padStart(16, '0');
      fs.mkdirSync(path.join(folder, id), { recursive: true });
      fs.utimesSync(path.join(folder, id), number, number);
    }
    add(1);
    expect(historyIds(home)).toHaveLength(950);
    expect(historyIds(home)[0]).toBe(key.id);
    expect(fs.existsSync(path.join(folder, '0'.repeat(16)))).toBe(false);
  });
});

describe('its key', () => {
  it('depends on command, project and directory; work trees of a repository are one project', () => {
    const repo = path.join(home, 'repo');
    const tree = path.join(home, 'tree');
    fs.mkdirSync(path.join(repo, '.git', 'worktrees', 'tree'), { recursive: true });
    fs.mkdirSync(path.join(repo, 'packages', 'a'), { recursive: true });
    fs.mkdirSync(path.join(tree, 'packages', 'a'), { recursive: true });
    fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${repo}/.git/worktrees/tree\n`);
    const inA = historyKey('npm test', path.join(repo, 'packages', 'a'), null);
    expect(inA).toMatchObject({ project: repo, directory: 'packages/a' });
    expect(historyKey('npm test', path.join(tree, 'packages', 'a'), null)).toEqual(inA);
    const ids = [
      inA,
      historyKey('npm test', repo, null),
      historyKey('npm run test', repo, null),
      historyKey('npm test', home, null),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });

  it('a given key is the same everywhere, and masked', () => {
    expect(historyKey('a', '/', 'ci')).toEqual(historyKey('b', '/tmp', 'ci'));
    expect(historyKey('a', '/', 'TOKEN=abcdef123456').command).not.toContain('abcdef123456');
  });
});
