import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loginShellCommand } from '../../../src/run/launch/login-shell.js';
import { openTerminal } from '../../../src/run/launch/pseudo-terminal.js';
import { findTool } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

let home = '';
const started: ChildProcess[] = [];

/** Noise on both streams, a question, and something to use. */
const startUpFiles: Record<string, string[]> = {
  bash: ['.bashrc'],
  zsh: ['.zshrc'],
  fish: ['.config/fish/config.fish'],
  sh: ['.profile'],
};
const posixNoise =
  'echo NOISE; echo NOISE >&2; read -r NOISE; export FROM_RC=set; PATH=$PATH:/from-rc; greet() { echo "hello $1"; }\n';
const fishNoise =
  'echo NOISE; echo NOISE >&2; read NOISE; set -gx FROM_RC set; set -gx PATH $PATH /from-rc; function greet; echo "hello $argv[1]"; end\n';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  for (const [shell, files] of Object.entries(startUpFiles)) {
    for (const file of files) {
      fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      fs.writeFileSync(path.join(home, file), shell === 'fish' ? fishNoise : posixNoise);
    }
  }
  // What a user's files begin with: only an interactive shell reads on.
  fs.writeFileSync(path.join(home, '.bashrc'), `case $- in *i*) ;; *) return ;; esac\n${posixNoise}`);
  fs.writeFileSync(path.join(home, '.bash_profile'), 'echo NOISE; . ~/.bashrc\n');
  for (const file of ['.bash_logout', '.zlogout']) fs.writeFileSync(path.join(home, file), 'echo NOISE\n');
});

afterEach(async () => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await removeDirectory(home);
});

function environment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, UNSTUCK_TEST_SESSION } = process.env;
  return { PATH, LD_LIBRARY_PATH, UNSTUCK_TEST_SESSION, HOME: home, TERM: 'dumb' };
}

interface End {
  out: string;
  err: string;
  code: number | null;
  signal: string | null;
}

async function run(shell: string, line: string, input = ''): Promise<End> {
  const [program = '', ...args] = loginShellCommand(line, environment(), { shell });
  const child = spawn(program, args, { env: environment(), cwd: home, timeout: patienceMs, detached: true });
  started.push(child);
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.err += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ ...text, code, signal }));
  });
}

/** With a terminal, as the shim gives one to a run; `type` is typed once READY is seen. */
async function runInTerminal(shell: string, line: string, type = ''): Promise<End> {
  const terminal = openTerminal();
  if (terminal === null) throw new Error('no pseudo terminal');
  const { slave, master } = terminal;
  const command = loginShellCommand(line, environment(), { shell });
  const child = spawn(findTool('setsid') ?? '', ['-c', '--', ...command], {
    env: environment(),
    stdio: [slave, slave, slave],
    timeout: patienceMs,
  });
  started.push(child);
  const drain = spawn('cat', { stdio: [master, 'pipe', 'ignore'], timeout: patienceMs });
  started.push(drain);
  let out = '';
  let typed = type;
  drain.stdout?.on('data', (chunk) => {
    out += chunk;
    if (out.includes('READY') && typed !== '') fs.writeSync(master, typed);
    if (out.includes('READY')) typed = '';
  });
  const ended = once(drain, 'close');
  const [code, signal] = await once(child, 'close');
  terminal.close();
  await ended;
  return { out: out.replaceAll('\r\n', '\n'), err: '', code, signal };
}

const shells = ['bash', 'dash', 'sh', 'zsh', 'fish', 'ksh', 'mksh'].map((name) => ({
  name,
  path: findTool(name),
}));

for (const { name, path: shell } of shells) {
  describe.skipIf(shell === null)(`a line for ${name}${shell === null ? ' (not installed)' : ''}`, () => {
    const start = (line: string, input?: string) => run(shell ?? '', line, input);

    it('has what the start-up files set, and nothing of what they print or read', async () => {
      const end = await start('cat; echo $FROM_RC; greet you; echo $PATH | grep -c /from-rc', 'typed\n');
      expect(end).toEqual({ out: 'typed\nset\nhello you\n1\n', err: '', code: 0, signal: null });
    });

    it('ends as the line ends, in silence', async () => {
      expect(await start('exit 3')).toEqual({ out: '', err: '', code: 3, signal: null });
      expect(await start('false')).toMatchObject({ out: '', err: '', code: 1 });
      const killed = await start('sh -c "kill -9 \\$\\$"');
      // A shell that became the command dies itself; one that waited for it says so.
      expect(killed.signal ?? killed.code).toBe(killed.signal === null ? 137 : 'SIGKILL');
    });

    it('arrives as it was typed', async () => {
      const end = await start(`printf '%s|' 'a  b' "c'd" '!!' 'é😀' '\\n'\nprintf '%s' 'x\ny'\n`);
      expect(end).toMatchObject({ out: "a  b|c'd|!!|é😀|\\n|x\ny", err: '', code: 0 });
    });

    it('fails with an error when it is unfinished or its command is missing', async () => {
      const broken = await start('echo "unfinished');
      expect(broken.err).not.toBe('');
      expect(broken.code).not.toBe(0);
      const missing = await start('no-such-command-here');
      expect(missing.err).toContain('no-such-command-here');
      expect(missing.code).toBe(127);
    });

    it('no job control, and no descriptor left open', async () => {
      const job = await start('sleep 0.01 & wait; echo done');
      expect(job).toMatchObject({ out: 'done\n', err: '' });
      const files = await start('ls /proc/self/fd | grep -c -x -e 6 -e 7 -e 8 -e 9');
      expect(files.out).toBe('0\n');
    });

    it('TERM to all of it ends it, even while it waits for a command', async () => {
      const end = start('sh -c "echo READY; exec sleep 300"; echo still here');
      const child = started.at(-1) as ChildProcess;
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      process.kill(-(child.pid as number), 'SIGTERM');
      const { out, signal, code } = await end;
      expect(out).toBe('READY\n');
      expect(signal ?? code).toBe(signal === null ? 143 : 'SIGTERM');
    });

    it('has a terminal as its three descriptors, and no noise about it', async () => {
      const end = await runInTerminal(
        shell ?? '',
        'sh -c "test -t 0 && test -t 1 && test -t 2 && echo all three"',
      );
      expect(end).toMatchObject({ out: 'all three\n', code: 0 });
    });

    it('reads what is typed', async () => {
      const end = await runInTerminal(shell ?? '', 'echo READY; head -n 1 | tr a-z A-Z', 'typed\n');
      expect(end.out).toBe('READY\ntyped\nTYPED\n');
    });

    // Typed when the command itself runs: between a builtin and the next command, zsh loses it.
    it.each(['sh -c "echo READY; exec sleep 300"', 'sh -c "echo READY; exec sleep 300"; sleep 300'])(
      'Ctrl-C ends %s',
      async (line) => {
        const started = performance.now();
        const end = await runInTerminal(shell ?? '', line, '\x03');
        expect(end.signal ?? end.code).not.toBe(0);
        expect(performance.now() - started).toBeLessThan(patienceMs);
      },
    );
  });
}

describe('which shell', () => {
  const programOf = (env: NodeJS.ProcessEnv) => loginShellCommand('true', env)[4];

  it('is the shell of SHELL, or /bin/sh if that cannot run a line', () => {
    expect(programOf({ SHELL: findTool('sh') ?? '' })).toBe(findTool('sh'));
    for (const shell of [
      '/bin/false',
      '/usr/sbin/nologin',
      '/no/such/bash',
      'bash',
      '',
      os.tmpdir(),
      '/bin/cat',
    ]) {
      expect(programOf({ SHELL: shell })).toBe('/bin/sh');
    }
    expect(path.isAbsolute(programOf({}) ?? '')).toBe(true);
  });

  it('a line that no system takes is refused', () => {
    expect(() => loginShellCommand('x'.repeat(131_072), {})).toThrow(
      expect.objectContaining({ code: 'too-large' }),
    );
  });

  it('a broken or missing start-up file does not keep the line from running', async () => {
    for (const file of ['.profile', '.bashrc', '.bash_profile'])
      fs.writeFileSync(path.join(home, file), 'echo $(;\n');
    expect(await run('/bin/sh', 'echo runs')).toMatchObject({ out: 'runs\n', err: '', code: 0 });
    expect(await run(findTool('bash') ?? '', 'echo runs')).toMatchObject({ out: 'runs\n', err: '', code: 0 });
    for (const file of ['.profile', '.bashrc', '.bash_profile']) fs.rmSync(path.join(home, file));
    expect(await run('/bin/sh', 'echo runs')).toMatchObject({ out: 'runs\n', err: '', code: 0 });
  });

  it('.bashrc is read where no profile asks for it', async () => {
    for (const file of ['.profile', '.bash_profile']) fs.rmSync(path.join(home, file));
    expect(await run(findTool('bash') ?? '', 'echo $FROM_RC')).toMatchObject({ out: 'set\n', err: '' });
  });

  it('bash hands on all it has learnt, exported or not, and what it was given', async () => {
    fs.appendFileSync(
      path.join(home, '.bashrc'),
      'list=(a "b c"); word=kept; alias shout="echo LOUD"; shopt -s extglob\n',
    );
    const line = `echo "\${list[1]}" $word $FROM_RC; shout\ncase xxy in +(x)y) echo extglob;; esac; echo \${BASH_ENV-none}; env | grep -c ^word`;
    expect(await run(findTool('bash') ?? '', line)).toMatchObject({
      out: 'b c kept set\nLOUD\nextglob\nnone\n0\n',
      err: '',
    });
    fs.appendFileSync(path.join(home, '.bashrc'), 'export BASH_ENV=/no/such/file\n');
    expect(await run(findTool('bash') ?? '', 'env | grep ^BASH_ENV')).toMatchObject({
      out: 'BASH_ENV=/no/such/file\n',
    });
  });

  it('bash hands on more than a pipe holds', async () => {
    const functions = Array.from(
      { length: 3000 },
      (_, at) => `f${at}() { echo "function number ${at} of many"; }\n`,
    );
    fs.appendFileSync(path.join(home, '.bashrc'), functions.join(''));
    expect(await run(findTool('bash') ?? '', 'f2999')).toMatchObject({
      out: 'function number 2999 of many\n',
      err: '',
    });
  });

  it('bash runs it as the file it would be: its own line numbers, no shell in between', async () => {
    const end = await run(findTool('bash') ?? '', 'echo $LINENO $0 $# $-\nno-such-command');
    expect(end.out).toMatch(/^1 bash 0 [^i]*\n$/);
    expect(end.err).toContain('line 2');
    const alone = await run(findTool('bash') ?? '', 'exec 2>&1; cat /proc/self/stat');
    expect(Number.parseInt(alone.out, 10)).toBe(started.at(-1)?.pid);
  });
});
