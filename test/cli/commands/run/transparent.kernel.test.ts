import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliPath } from '../../../support/run-cli.js';
import { startRunCli as run } from '../../../support/start-run-cli.js';

describe('as transparent as timeout', () => {
  it('keeps the streams apart and the exit code, and prints nothing of its own', async () => {
    const cli = run(['--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect(await cli.done).toBe(3);
    expect(cli.stdout).toBe('out\n');
    expect(cli.stderr).toBe('err\n');
  });

  it('passes NUL bytes, escapes and invalid UTF-8 as they are', async () => {
    const bytes = Buffer.from([0, 1, 0xff, 0xfe, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xc3, 0x0a, 0x0d, 0x80, 0]);
    const cli = run([
      '--',
      'sh',
      '-c',
      `printf '${[...bytes].map((b) => `\\${b.toString(8).padStart(3, '0')}`).join('')}'`,
    ]);
    expect(await cli.done).toBe(0);
    expect(cli.bytes.equals(bytes)).toBe(true);
  });

  it('keeps the order of both streams where they lead to the same place', async () => {
    const cli = run(['--', 'sh', '-c', 'for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done'], {
      redirect: '2>&1',
    });
    expect(await cli.done).toBe(0);
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => `out${i}\nerr${i}\n`).join('');
    expect(cli.stdout).toBe(expected);
  });

  it('lets the command open /dev/stdout and /dev/stderr by name, without losing what was written', async () => {
    const cli = run([
      '--',
      'sh',
      '-c',
      'echo 1; echo 2 >/dev/stdout; echo e1 >&2; echo e2 >/dev/stderr; echo 3',
    ]);
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('1\n2\n3\n');
    expect(cli.stderr).toBe('e1\ne2\n');
  });

  it('waits for a command that closes its output', async () => {
    const cli = run(['--', 'sh', '-c', 'echo before; exec >&- 2>&-; sleep 0.4; exit 5']);
    expect(await cli.done).toBe(5);
    expect(cli.stdout).toBe('before\n');
  });

  it('a reader that has seen enough ends the command as it would without us', async () => {
    // Without end, but slow: its log would fill the disk while this test has to wait for a CPU.
    const cli = run(['--', 'sh', '-c', 'while echo y; do sleep 0.01; done']);
    await cli.until('output', () => cli.bytes.length > 0);
    cli.child.stdout?.destroy();
    expect(await cli.done).toBe(141);
  });

  it('passes a single line of 100 MB and keeps it whole in the log', async () => {
    const cli = run(['--keep-log', 'always', '--', 'sh', '-c', 'head -c 104857600 /dev/zero | tr "\\0" x']);
    const hash = createHash('md5');
    let length = 0;
    cli.child.stdout?.removeAllListeners('data').on('data', (chunk: Buffer) => {
      hash.update(chunk);
      length += chunk.length;
    });
    expect(await cli.done).toBe(0);
    expect(length).toBe(104_857_600);
    expect(hash.digest('hex')).toBe(createHash('md5').update(Buffer.alloc(104_857_600, 'x')).digest('hex'));
    expect(cli.read('stdout.log').length).toBeGreaterThan(104_857_600);
  });

  it.each(['>', '>>'])('passes a flood on to a file with %s, byte for byte', async (operator) => {
    const script = 'seq 3000000; echo "the last words" >&2; seq 3';
    const cli = run(['--', 'sh', '-c', script], { redirect: `${operator}"$HOME_OF_RUN/copy"` });
    expect(await cli.done).toBe(0);
    const expected = execFileSync('sh', ['-c', script], { maxBuffer: 1e8, stdio: 'pipe' });
    expect(readFileSync(path.join(cli.home, 'copy')).equals(expected)).toBe(true);
    expect(cli.stderr).toContain('the last words');
  });

  it('passes 1 GB', async () => {
    const cli = run(['--keep-log', 'never', '--', 'head', '-c', '1073741824', '/dev/zero']);
    let length = 0;
    cli.child.stdout?.removeAllListeners('data').on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    expect(await cli.done).toBe(0);
    expect(length).toBe(1_073_741_824);
  });
});

describe('exit codes', () => {
  it.each([
    ['0', 'exit 0', 0],
    ['its own', 'exit 42', 42],
    ['128 + N when a signal ended it', 'kill -9 $$', 137],
    ['even where it looks like one of ours', 'exit 124', 124],
  ])('%s', async (_name, script, code) => {
    const cli = run(['--', 'sh', '-c', script]);
    expect(await cli.done).toBe(code);
  });

  it('names a signal only when it is proven', async () => {
    const killed = run(['--', 'sh', '-c', 'kill -9 $$']);
    const exited = run(['--', 'sh', '-c', 'exit 137']);
    await Promise.all([killed.done, exited.done]);
    expect(killed.report.exit).toEqual({ code: 137, signal: 'SIGKILL', provenance: 'recorded' });
    expect(exited.report.exit).toEqual({ code: 137, signal: null, provenance: 'recorded' });
  });

  it('127 for a command that is not there, with a hint', async () => {
    const cli = run(['--', 'no-such-command-anywhere']);
    expect(await cli.done).toBe(127);
    expect(cli.stderr).toMatch(/no such command: no-such-command-anywhere\nhint: /);
    expect(cli.directory).toBeNull();
  });

  it('126 for a file that is no program', async () => {
    const cli = run(['--', '/etc/passwd']);
    expect(await cli.done).toBe(126);
    expect(cli.stderr).toContain('hint: ');
  });

  it('125 for a bad option; names the option, its value and the valid values', async () => {
    const cli = run(['--kill-on', 'maybe', '--', 'true']);
    expect(await cli.done).toBe(125);
    expect(cli.stderr).toMatch(/--kill-on/);
    expect(cli.stderr).toMatch(/maybe/);
    expect(cli.stderr).toMatch(/never.*certain.*high.*medium/s);
  });

  it('an unknown key in a project file is an error that names the nearest', async () => {
    const cli = run(['--', 'true']);
    await cli.done;
    writeFileSync(path.join(cli.home, 'unstuck.json'), '{"timeuot": "5s"}');
    const result = spawn(process.execPath, [cliPath, 'run', '--', 'true'], { cwd: cli.home });
    let said = '';
    result.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await new Promise((resolve) => result.once('close', resolve))).toBe(125);
    expect(said).toContain('timeuot');
    expect(said).toContain('timeout');
  });
});

describe('input and environment', () => {
  it('by default the command reads what unstuck run reads', async () => {
    const cli = run(['--', 'cat'], { input: 'question\nanswer\n' });
    const none = run(['--stdin', 'null', '--', 'cat'], { input: 'hello\n' });
    expect([await cli.done, await none.done]).toEqual([0, 0]);
    expect([cli.stdout, none.stdout]).toEqual(['question\nanswer\n', '']);
  });

  it('input that a terminal of its own does not get is reported once', async () => {
    const piped = run(['--pty', '--', 'sleep', '1.6'], { input: 'data\n'.repeat(100) });
    const short = run(['--pty', '--', 'true'], { input: 'hello\n' });
    const file = run(['--pty', '--', 'true'], { redirect: '</etc/passwd' });
    for (const cli of [piped, short, file]) {
      expect(await cli.done).toBe(0);
      expect(cli.stderr.match(/is not passed to the terminal.*--stdin pipe/g)).toHaveLength(1);
    }
  });

  it('an open pipe on which nothing comes, /dev/null and a closed stdin are not worth a word', async () => {
    const silent = run(['--pty', '--', 'sleep', '1.2'], { silentInput: true });
    const none = run(['--pty', '--', 'true']);
    const closed = run(['--', 'true'], { redirect: '<&-' });
    const chosen = run(['--pty', '--stdin', 'null', '--', 'true'], { input: 'hello\n' });
    for (const cli of [none, closed, chosen, silent]) {
      expect(await cli.done).toBe(0);
      expect(cli.stderr).not.toContain('not passed');
    }
  });

  it.each(['inherit', 'pipe'])('--stdin %s passes input on, and its end', async (wish) => {
    const cli = run(['--stdin', wish, '--', 'cat'], { input: 'question\nanswer\n' });
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('question\nanswer\n');
  });

  it('prompts are prevented where known; what the user set stays; --no-quiet-env turns it off', async () => {
    const script =
      'echo "$CI,$GIT_TERMINAL_PROMPT,$PAGER,$npm_config_yes,$DEBIAN_FRONTEND,$PYTHONUNBUFFERED"';
    const env = {
      CI: undefined,
      GIT_TERMINAL_PROMPT: undefined,
      PAGER: 'more',
      npm_config_yes: undefined,
      DEBIAN_FRONTEND: undefined,
      PYTHONUNBUFFERED: undefined,
    };
    const quiet = run(['--', 'sh', '-c', script], { env });
    const plain = run(['--no-quiet-env', '--', 'sh', '-c', script], { env });
    await Promise.all([quiet.done, plain.done]);
    expect(quiet.stdout).toBe('1,0,more,,noninteractive,1\n');
    expect(plain.stdout).toBe(',,more,,,\n');
  });

  it('--pty gives a terminal of a known size', async () => {
    const cli = run(['--pty', '--', 'sh', '-c', 'test -t 0 && test -t 1 && stty size; echo last']);
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('30 120\r\nlast\r\n');
  });
});
