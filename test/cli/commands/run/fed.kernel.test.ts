import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

/** Kills what is proven, as soon as the rules allow. */
const hasty = ['--sample', '200ms', '--heartbeat', '0', '--kill-on', 'certain', '--grace', '500ms'];
const inheriting = [process.execPath, cliPath, 'run', ...hasty];
const passing = [...inheriting, '--stdin', 'pipe'];
const reading = ['sh', '-c', 'read x; echo "got:$x"'];

interface Fed {
  home: string;
  child: ChildProcess;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

const all: Fed[] = [];

afterAll(async () => {
  for (const { child, home } of all.splice(0)) {
    // The leader of a group of its own; what it started in another session ends with its input.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await removeDirectory(home);
  }
});

/** Starts `program`, which starts the command behind it with a standard input of its own making. */
function feed(program: string, ...args: string[]): Fed {
  const home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  const env = { ...process.env, NO_COLOR: '1', UNSTUCK_HOME: home, GO: path.join(home, 'go') };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Awaited<Fed['ended']>>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const fed = { home, child, ended };
  all.push(fed);
  return fed;
}

// All of them write once there is a file, which they look for by a timer.
const shellWriter = '(while [ ! -e "$GO" ]; do sleep 0.1; done; echo hello) | "$@"';
const pythonWriter = `import os, subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
while not os.path.exists(os.environ["GO"]): time.sleep(0.1)
child.communicate(b"hello\\n")
sys.exit(child.returncode)`;
const nodeWriter = `const { spawn } = require('node:child_process');
const child = spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 1, 2] });
const timer = setInterval(() => {
  if (!require('node:fs').existsSync(process.env.GO)) return;
  clearInterval(timer);
  child.stdin.end('hello\\n');
}, 100);
child.on('exit', (code) => process.exit(code ?? 1));`;
const silentWriter = `import subprocess, sys
sys.exit(subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE).wait())`;

/** The same read, and nothing that will ever write: how long a proof takes on this machine today. */
const stuckWith = (words: string[]) => feed('python3', '-c', silentWriter, ...words, '--', ...reading).ended;
let proof: ReturnType<typeof stuckWith> | null = null;
function proven(): ReturnType<typeof stuckWith> {
  // A second one after the first: twice the time that it takes.
  proof ??= stuckWith(inheriting).then(() => stuckWith(passing));
  return proof;
}

describe.concurrent('a command that we feed waits for what feeds us', () => {
  const shell = ['sh', '-c', shellWriter, 'sh'];
  it.each([
    ['a pipe whose writer sleeps', [...shell, ...passing, '--', ...reading]],
    ['the same without an option', [...shell, ...inheriting, '--', ...reading]],
    ['the same through a second unstuck', [...shell, ...passing, '--', ...passing, '--', ...reading]],
    ['the same through a terminal of ours', [...shell, ...passing, '--pty', '--', ...reading]],
    ['a parent that sleeps', ['python3', '-c', pythonWriter, ...passing, '--', ...reading]],
    ['a parent with a timer', [process.execPath, '-e', nodeWriter, ...passing, '--', ...reading]],
  ])('%s: it is not killed, and gets its input', async (_name, [program = '', ...args]) => {
    const { home, ended } = feed(program, ...args);
    await proven();
    writeFileSync(path.join(home, 'go'), '');
    const { code, stdout, stderr } = await ended;
    expect(stdout, stderr).toContain('got:hello');
    expect(stderr).not.toContain('is being stopped');
    expect(code).toBe(0);
  });

  it('a parent that only waits for the command: it needs input, certain, and is killed', async () => {
    const { code, stderr } = await proven();
    expect(stderr).toMatch(/waits for input that python3\(\d+\) would have to send/);
    expect(stderr).toContain('(--kill-on certain)');
    expect(code).toBe(121);
  });
});
