import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAbsent } from '../../src/model/facts/absence.js';
import { readRow } from '../../src/probe/linux/identity/identify.js';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';
import { runAs } from '../support/run-as.js';
import { cliPath } from '../support/run-cli.js';

const isRoot = process.getuid?.() === 0;
const withoutProc = [
  'unshare',
  isRoot ? '-m' : '-Urm',
  'sh',
  '-c',
  'mount -t tmpfs none /proc && exec "$@"',
  'sh',
];
const [unshare = '', ...flags] = withoutProc;
const mayMount = spawnSync(unshare, [...flags, 'true']).status === 0;

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
});
afterEach(() => removeDirectory(home));

interface Said {
  code: number | string | undefined;
  stdout: string;
  stderr: string;
}

function unstuck(...args: string[]): Promise<Said> {
  const env = { ...process.env, NO_COLOR: '1', UNSTUCK_HOME: home };
  return new Promise((resolve) => {
    const words = [...flags, process.execPath, cliPath, ...args];
    execFile(unshare, words, { env, timeout: patienceMs }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? undefined), stdout, stderr }),
    );
  });
}

/** Which of the pids in a line of output still run; the namespace has only its own mounts. */
const running = (line: string) =>
  line
    .trim()
    .split(' ')
    .map(Number)
    .filter((pid) => {
      const row = readRow(pid);
      return !isAbsent(row) && !row.ended;
    });

/** The kernel ends a process soon after SIGKILL, not at once. */
const noneRuns = (line: string) => expect.poll(() => running(line), { timeout: patienceMs }).toEqual([]);

/** Prints its pid and that of its child; both ignore SIGTERM. */
const stubborn = 'trap "" TERM; sleep 1000 & echo $$ $!; wait; sleep 1000';

// Needs the right to mount: root, or user namespaces.
describe.skipIf(!mayMount)('without /proc', () => {
  test('run passes output and exit code on, and first prints what does not work', async () => {
    const { code, stdout, stderr } = await unstuck('run', '--', 'sh', '-c', 'echo out; exit 3');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'out\n' });
    expect(stderr.split('\n')[0]).toMatch(/\/proc is not mounted here.*health is unknown.*mount -t proc/);
  });

  test('a time limit ends the command', async () => {
    const words = ['run', '--timeout', '3s', '--', 'sh', '-c', 'echo $$; exec sleep 1000'];
    const { code, stdout, stderr } = await unstuck(...words);
    expect(code).toBe(124);
    await noneRuns(stdout);
    expect(stderr).toMatch(/ended: timeout exit=143/);
  });

  test('heartbeats have the pid, and a health that is unknown', async () => {
    const told = 'until grep -qs heartbeat "$UNSTUCK_HOME"/runs/*/events.jsonl; do sleep 0.1; done';
    const { code, stdout, stderr } = await unstuck(
      ...['run', '--heartbeat', '100ms', '--', 'sh', '-c', `echo $$; ${told}`],
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`pid=${stdout.trim()} .*state=unknown`));
    expect(stderr).not.toMatch(/state=healthy/);
  });

  test('silence ends a command that ignores SIGTERM, with its process group', async () => {
    const words = ['run', '--idle-timeout', '8s', '--grace', '200ms', '--', 'sh', '-c', stubborn];
    const { code, stdout, stderr } = await unstuck(...words);
    expect(code).toBe(121);
    expect(stdout).toMatch(/^\d+ \d+\n$/);
    await noneRuns(stdout);
    expect(stderr).toMatch(/ended: idle-timeout exit=137/);
  });

  test('a command with a terminal is ended as well', async () => {
    const words = ['run', '--pty', '--timeout', '3s', '--grace', '200ms', '--', 'sh', '-c', stubborn];
    const { code, stdout } = await unstuck(...words);
    expect(code).toBe(124);
    await noneRuns(stdout);
  });

  test.each([
    [['why', '1'], /nothing can be read about any process/],
    [['why', '--probe', 'linux', '1'], /cannot be read/],
    [['start', '--', 'true'], /background runs need it.*unstuck run works without/],
    [['daemon', 'run'], /the daemon needs it/],
    [['orphans'], /the list of processes cannot be read/],
  ])('%j is refused with a reason and a hint', async (words, reason) => {
    const { code, stderr } = await unstuck(...words);
    expect(code).toBe(125);
    expect(stderr).toMatch(reason);
    expect(stderr).toMatch(/hint: mount it: mount -t proc proc \/proc/);
  });

  test('doctor names what is missing, what it costs and what helps', async () => {
    const { stdout } = await unstuck('doctor');
    expect(stdout).toMatch(/no +processes \(\/proc\)/);
    expect(stdout).toMatch(/stops the command with its process group/);
    expect(stdout).toMatch(/mount -t proc proc \/proc/);
    expect(stdout).not.toMatch(/install/);
  });

  test('the watchdog ends a child of its own program, also a child that ignores SIGTERM, and no other process', async () => {
    const told = await runAs(withoutProc, new URL('./no-proc.program.ts', import.meta.url));
    expect(told).toEqual({
      gentle: { signal: 'SIGTERM', isGone: true, exit: [null, 'SIGTERM'] },
      stubborn: { signal: 'SIGKILL', isGone: true, exit: [null, 'SIGKILL'] },
      asked: { signal: null, isGone: true, exit: [null, 'SIGTERM'] },
      foreign: { signal: null, isGone: false, exit: [null, null] },
      stopped: { how: 'stopped', exit: [null, null] },
    });
  });
});
