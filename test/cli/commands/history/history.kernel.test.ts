import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../../src/run/history/run-history.js';
import { HistoryFiles } from '../../../../src/store/history/history-files.js';
import { simulatedRun } from '../../../diagnose/history/simulated.js';
import { afterThisTest } from '../../../support/per-test.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

/** A home in which `npm test` ran six times. */
function homeWithRuns(): string {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-')));
  afterThisTest(() => removeDirectory(home));
  const key = keyOf({ command: 'npm test', cwd: home }, null);
  for (let number = 1; number <= 6; number++) {
    new HistoryFiles(home, key.id).append(simulatedRun(240_000, 41_000, number), key);
  }
  return home;
}

async function unstuck(home: string, ...args: string[]) {
  const env = { ...process.env, UNSTUCK_HOME: home, HOME: home };
  const ended = promisify(execFile)(process.execPath, [cliPath, 'history', ...args], { env, cwd: home });
  return ended.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe.concurrent('unstuck history', () => {
  it('gives runs and what is usual as JSON', async () => {
    const home = homeWithRuns();
    const { stdout } = await unstuck(home, '--json', '--', 'npm', 'test');
    const known = JSON.parse(stdout);
    expect(known).toMatchObject({
      version: 1,
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
      usual: { durationMs: { median: 240_000, p95: 240_000 }, longestSilenceMs: 41_000 },
    });
    expect(known.runs).toHaveLength(6);
    expect(known.runs[0]).toMatchObject({
      startedAt: expect.any(String),
      durationMs: 240_000,
      longestSilenceMs: 41_000,
      lines: 10,
      outcome: 'exited',
      exit: { code: 0 },
    });
    const none = await unstuck(home, '--json', '--', 'npm', 'run', 'other');
    expect(JSON.parse(none.stdout)).toMatchObject({ runs: [], usual: null });
    expect(none.code).toBe(1);
    const key = await unstuck(home, '--json', '--key', '--', 'npm', 'run', 'other');
    expect(key.code).toBe(0);
  });

  it('shows one command, all commands, and the key', async () => {
    const home = homeWithRuns();
    const [one, all, key] = await Promise.all([
      unstuck(home, '--', 'npm', 'test'),
      unstuck(home),
      unstuck(home, '--key', '--', 'npm', 'test', '--shard=3/8'),
    ]);
    expect(one.stdout).toContain('6 runs, 6 successful: usually 4 min');
    expect(all.stdout).toMatch(/^npm test +6 +4 min /m);
    expect(key.stdout).toMatch(/^command +npm test --shard=N\/N /m);
  });

  it('an unknown command is an error with a hint; a history can be exported and forgotten', async () => {
    const home = homeWithRuns();
    const unknown = await unstuck(home, '--', 'make');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('unstuck history') });
    expect((await unstuck(home, '--forget')).code).toBe(125);
    const unforgotten = await unstuck(home, '--forget', '--', 'make');
    expect(unforgotten).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no run of make'),
    });
    const csv = await unstuck(home, '--export', 'csv', '--', 'npm', 'test');
    expect(csv.stdout.trim().split('\n')).toHaveLength(7);
    expect((await unstuck(home, '--forget', '--', 'npm', 'test')).stdout).toBe('forgot 6 runs\n');
    expect((await unstuck(home, '--', 'npm', 'test')).code).toBe(1);
  });
});
