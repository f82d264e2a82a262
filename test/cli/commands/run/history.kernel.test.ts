import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { recoverRuns } from '../../../../src/run/history/recover-runs.js';
import { HistoryFiles, historyIds } from '../../../../src/store/history/history-files.js';
import { historyKey } from '../../../../src/store/history/history-key.js';
import { simulatedRun } from '../../../diagnose/history/simulated.js';
import { patienceMs } from '../../../support/patience.js';
import { afterThisTest } from '../../../support/per-test.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

function makeHome(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  afterThisTest(() => removeDirectory(home));
  return home;
}

async function run(home: string, ...args: string[]): Promise<number> {
  const env = { ...process.env, UNSTUCK_HOME: home };
  const command = [cliPath, 'run', '--status', 'none', ...args];
  const ended = promisify(execFile)(process.execPath, command, { env, cwd: home });
  return ended.then(
    () => 0,
    ({ code }) => code,
  );
}

const runsIn = (home: string) => historyIds(home).flatMap((id) => new HistoryFiles(home, id).read(1000));

describe.concurrent('the history of a command', () => {
  it('has a line for every run, however it ended, with secrets masked', async () => {
    const home = makeHome();
    expect(await run(home, '--', 'sh', '-c', 'echo one; echo two', '--token=abc123secret')).toBe(0);
    expect(await run(home, '--timeout', '300ms', '--grace', '1s', '--', 'sleep', '300')).toBe(124);
    expect(await run(home, '--no-history', '--', 'true')).toBe(0);
    const runs = runsIn(home);
    expect(runs).toHaveLength(2);
    expect(runs.find(({ outcome }) => outcome === 'exited')).toMatchObject({
      lines: 2,
      exit: { code: 0, signal: null, provenance: 'recorded' },
    });
    const ended = runs.find(({ outcome }) => outcome === 'timeout');
    expect(ended).toMatchObject({ command: 'sleep N', lines: 0 });
    expect(ended?.durationMs).toBeGreaterThanOrEqual(300);
    expect(JSON.stringify(runs)).not.toContain('abc123secret');
  });

  it('a given key joins commands', async () => {
    const home = makeHome();
    await run(home, '--history-key', 'ci', '--', 'true');
    await run(home, '--history-key', 'ci', '--', 'false');
    expect(historyIds(home)).toHaveLength(1);
    expect(runsIn(home).map(({ exit }) => exit.code)).toEqual([0, 1]);
  });
});

describe.concurrent('a run that is judged by its history', () => {
  /** Ten times as fast as by default. */
  const flags = [
    '--sample',
    '100ms',
    '--activity-window',
    '600ms',
    '--kill-on',
    'medium',
    '--grace',
    '200ms',
  ];

  function learn(home: string): void {
    const key = historyKey('', '/', 'known');
    for (let number = 1; number <= 5; number++) {
      const id = `run_00000000000${number}`;
      new HistoryFiles(home, key.id).append({ ...simulatedRun(2000, 300, number), id }, key);
    }
  }

  it('is stopped when it is silent for longer than ever, although it only sleeps', async () => {
    const home = makeHome();
    learn(home);
    const report = path.join(home, 'report.json');
    expect(
      await run(home, '--history-key', 'known', ...flags, '--report', report, '--', 'sleep', '300'),
    ).toBe(121);
    const { diagnosis, outcome } = JSON.parse(fs.readFileSync(report, 'utf8'));
    expect(outcome).toBe('stuck');
    expect(diagnosis).toMatchObject({ health: 'likely-stuck', confidence: 'medium' });
    expect(diagnosis.reason).toMatch(
      /never silent for so long: the longest of 5 runs was 300 ms, idle: sleep/,
    );
    // Its own silence is no habit.
    expect(runsIn(home).map(({ outcome: one }) => one)).toEqual([...Array(5).fill('exited'), 'stuck']);
  });

  it('is left alone without its history, and while it works', async () => {
    const home = makeHome();
    learn(home);
    const known = ['--history-key', 'known', ...flags];
    const spin = 'i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done';
    const codes = [
      run(home, ...known, '--no-history', '--', 'sleep', '3'),
      run(home, ...known, '--', 'sh', '-c', spin),
    ];
    expect(await Promise.all(codes)).toEqual([0, 0]);
  });
});

describe('SIGKILL of supervisors at any moment', () => {
  it('each run of several at once is in the history once', async () => {
    const home = makeHome();
    const started = await Promise.all(
      Array.from({ length: 14 }, async (_, index) => {
        await delay(index * 40);
        return killedAfter(home, index * 60, index);
      }),
    );
    const ids = started.filter((id) => id !== null);
    expect(ids.length).toBeGreaterThan(4);
    const deadline = performance.now() + patienceMs;
    const missing = () => {
      recoverRuns(home);
      const known = runsIn(home).map(({ id }) => id);
      return ids.filter((id) => !known.includes(id));
    };
    while (missing().length > 0 && performance.now() < deadline) await delay(100);
    expect(missing()).toEqual([]);
    recoverRuns(home);
    const all = runsIn(home).map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    // A supervisor that is killed while it starts its run may leave an end that is not known, but never another one.
    const others = runsIn(home).filter(({ exit }) => exit.code !== 3 && exit.code !== null);
    expect(others).toEqual([]);
    const files = path.join(home, 'history', historyIds(home)[0] ?? '');
    const text = fs.readFileSync(path.join(files, '1.jsonl'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(all.length);
  });
});

/** The id of a run whose supervisor was killed so long after its start; null: it had not begun. */
async function killedAfter(home: string, ms: number, index: number): Promise<string | null> {
  const child = spawn(process.execPath, [cliPath, 'run', '--json', '--', 'sh', '-c', 'sleep 0.2; exit 3'], {
    env: { ...process.env, UNSTUCK_HOME: home },
    cwd: home,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    // Half of them are killed around the end of the command, the others from the start on.
    if (index % 2 === 0 && output.includes('"kind":"started"')) setTimeout(() => child.kill('SIGKILL'), ms);
  });
  if (index % 2 === 1) setTimeout(() => child.kill('SIGKILL'), ms + 100);
  await new Promise((resolve) => child.once('close', resolve));
  return /"kind":"started","id":"(run_\w+)"/.exec(output)?.[1] ?? null;
}
