import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';
import { stopMarked } from '../support/stop-marked.js';
import { type Row, rows } from './transparent-rows.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const unstuck = [process.env.UNSTUCK_OTHER_LAUNCHER ?? path.join(root, 'unstuck'), 'run', '--'];
const page = readFileSync(path.join(root, 'docs/transparency.md'), 'utf8');
const home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));

const state = path.join(home, 'state');

afterAll(async () => {
  // What a row that took too long has left.
  await stopMarked(`UNSTUCK_HOME=${state}`);
  await removeDirectory(home);
});

/** What the script prints with these words before its commands. */
function printed({ script }: Row, words: string[]): Promise<string> {
  const cwd = mkdtempSync(path.join(home, 'here-'));
  const env = { ...process.env, UNSTUCK_HOME: state, UNSTUCK_QUIET_ENV: 'false' };
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', script, 'bash', ...words],
      { cwd, env, timeout: patienceMs },
      (_error, stdout) => {
        resolve(stdout);
      },
    );
  });
}

describe.concurrent('a command does not notice that unstuck run is there', () => {
  it.for(rows)('$name', async (row) => {
    const [plain, ours, timed] = await Promise.all([
      printed(row, []),
      printed(row, unstuck),
      row.like === 'timeout' ? printed(row, ['timeout', '1h']) : null,
    ]);
    const expected = row.instead ?? timed ?? plain;
    expect(ours).toBe(expected);
    // A row that does not differ any more must lose its mark.
    if (expected !== plain) expect(ours).not.toBe(plain);
    else expect(row.instead ?? row.like).toBeUndefined();
  });

  it('every difference has a row with its reason on the page about transparency', () => {
    const listed = rows
      .filter(({ instead, like }) => (instead ?? like) !== undefined)
      .map(({ name }) => name);
    expect(listed.filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
  });
});
