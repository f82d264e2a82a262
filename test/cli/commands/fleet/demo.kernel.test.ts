import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../../support/background-home.js';
import { findTool } from '../../../support/find-tool.js';
import { afterThisTest } from '../../../support/per-test.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

/** Processes whose arguments or environment name a directory. */
function processesOf(dir: string): string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      const text = (file: string) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
      return /^\d+$/.test(pid) && (text('cmdline').includes(dir) || text('environ').includes(dir));
    } catch {
      return false;
    }
  });
}

it.skipIf(findTool('nats-server') === null).each([
  ['SIGINT', 'from the keyboard', 130, -1],
  ['SIGTERM', 'to the demo alone', 143, 1],
] as const)('the demo of a fleet ends with %s %s, and leaves nothing', async (signal, _, code, whom) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  afterThisTest(() => removeDirectory(dir));
  const env = { ...process.env, TMPDIR: dir, UNSTUCK_TEST_DEMO: dir };
  // A process group of its own, as a shell gives it to a command: Ctrl-C reaches every process in it.
  const child = spawn(process.execPath, [cliPath, 'fleet', 'demo'], { env, detached: true, stdio: 'pipe' });
  afterThisTest(() => {
    for (const pid of processesOf(dir)) process.kill(Number(pid), 'SIGKILL');
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      words += data.toString();
    });
  }
  const ended = once(child, 'exit');
  await until(() => words.includes('build2$ unstuck join'), 'the demo has begun');
  const before = words;
  process.kill(whom * (child.pid ?? 0), signal);
  expect(await ended, words).toEqual([code, null]);
  expect(words.slice(before.length)).not.toContain('$ unstuck');
  expect(words).not.toContain('cannot reach the NATS server');
  await until(() => processesOf(dir).length === 0, 'all processes are gone');
  expect(fs.readdirSync(dir).filter((name) => name.startsWith('unstuck-fleet-'))).toEqual([]);
});
