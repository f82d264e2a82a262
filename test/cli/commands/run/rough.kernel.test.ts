import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../../bench/hangs/tree.js';
import { read } from '../../../../bench/process-cost.js';
import { patienceMs } from '../../../support/patience.js';
import { afterThisTest } from '../../../support/per-test.js';
import { cliPath } from '../../../support/run-cli.js';
import { isAlive, startRunCli as run } from '../../../support/start-run-cli.js';
import { stopMarked } from '../../../support/stop-marked.js';

/** The command line of a run with this home, for scripts that need it in the middle. */
function shell(
  home: string,
  script: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const options = {
    env: { ...process.env, UNSTUCK_HOME: home, NO_COLOR: '1', ...env },
    timeout: patienceMs,
    maxBuffer: 64_000_000,
  };
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-c', script, 'bash', process.execPath, cliPath, home],
      options,
      (error, stdout, stderr) => resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
    afterThisTest(() => stopMarked(`UNSTUCK_HOME=${home}`));
    child.stdin?.end();
  });
}

const unstuck = '"$1" "$2" run';

async function place(): Promise<string> {
  const cli = run(['--', 'true']);
  await cli.done;
  return cli.home;
}

/**
 * Prints until it is told to end, so that it is held back however late the supervisor comes to it. Not as fast as it could:
 * that would fill the disk while the supervisor waits for a CPU.
 */
const flood = 'until [ -e "$HOME_OF_RUN/enough" ]; do head -c 5000000 /dev/zero; sleep 0.01; done; exit 3';

/** The same until its output is closed, which ends it as it ends `yes`. */
const endless = `perl -e 'for (;;) { syswrite STDOUT, "x" x 1e6; select undef, undef, undef, 0.01 }'`;

/** A process that drains its output is stopped: the command waits as soon as its pipe is full. */
function isHeldBack(supervisor: number | undefined): boolean {
  return treeOf(supervisor ?? -1).some((pid) => /^\d+ \(cat\) T/.test(read(`/proc/${pid}/stat`)));
}

describe.concurrent('rough surroundings', () => {
  it('a leftover that prints for ever does not keep the run from ending', async () => {
    const cli = run([
      '--linger',
      '500ms',
      '--',
      'sh',
      '-c',
      '(while :; do echo x; sleep 0.1; done) & echo "child $!"; exit 4',
    ]);
    expect(await cli.done).toBe(4);
    const child = Number(/child (\d+)/.exec(cli.stdout)?.[1]);
    expect(cli.stderr).toMatch(/left running: /);
    process.kill(child, 'SIGKILL');
  });

  it('output on its way past the log is not lost when the command leaves a process behind', async () => {
    const home = await place();
    const left = 'sleep 300 & echo $! >"$UNSTUCK_HOME/left"; head -c 300000 /dev/zero';
    // The reader begins long after the time that the leftover gets.
    const { stdout } = await shell(
      home,
      `ulimit -f 1000; ${unstuck} --linger 100ms -- sh -c '${left}' | (sleep 2; wc -c)`,
    );
    process.kill(Number(readFileSync(path.join(home, 'left'), 'utf8')), 'SIGKILL');
    expect(stdout.trim()).toBe('300000');
  });

  it.each([
    ['is full', '2>/dev/full'],
    ['is gone', '2> >(exec true)'],
    ['was closed', '2>&-'],
  ])('the command goes on when our own stderr %s', async (_name, redirect) => {
    const home = await place();
    const result = await shell(
      home,
      `${unstuck} --heartbeat 100ms -- sh -c 'sleep 1; echo out; exit 7' ${redirect}`,
    );
    expect(result.status).toBe(7);
    expect(result.stdout).toBe('out\n');
  });

  it('a reader that does not read does not defeat a limit', async () => {
    const home = await place();
    const child = spawn(
      process.execPath,
      [
        cliPath,
        'run',
        '--timeout',
        '1s',
        '--grace',
        '200ms',
        '--',
        'sh',
        '-c',
        `${endless} >&2 & ${endless}`,
      ],
      {
        env: { ...process.env, UNSTUCK_HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    // Both streams stay unread.
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(124);
  });

  it('a command waits for a reader that is slow, and gets on when it reads', async () => {
    const cli = run(['--sample', '200ms', '--kill-on', 'certain', '--', 'sh', '-c', flood]);
    cli.child.stdout?.pause();
    await cli.until('it is held back', () => isHeldBack(cli.child.pid));
    cli.go('enough');
    const held = statSync(path.join(cli.directory ?? '', 'stdout.log')).size;
    cli.child.stdout?.resume();
    expect(await cli.done).toBe(3);
    expect(cli.bytes.length).toBeGreaterThan(held - 1_000_000);
    expect(cli.bytes.length % 1_000_000).toBe(0);
  });

  it('a command that is held back for its reader ends when the reader goes', async () => {
    const home = await place();
    const isHeld =
      'until [ "$(stat -c %s "$3"/runs/*/stdout.log || echo 0)" -gt 70000000 ]; do sleep .1; done 2>/dev/null; sleep .5';
    const result = await shell(home, `${unstuck} -- ${endless} | { ${isHeld}; }; echo "\${PIPESTATUS[0]}"`);
    expect(result.stdout).toBe('141\n');
  });

  it('a command that waits for its reader goes on when the supervisor is killed', async () => {
    const cli = run(['--', 'sh', '-c', flood]);
    cli.child.stdout?.pause();
    const sizeOf = () => statSync(path.join(cli.directory ?? '', 'stdout.log')).size;
    await cli.until('it is held back', () => isHeldBack(cli.child.pid));
    const held = sizeOf();
    cli.child.kill('SIGKILL');
    await cli.until('it goes on', () => sizeOf() > held);
    cli.go('enough');
    const exit = await cli.until('an exit status', () => /^\d+/.exec(cli.read('exit'))?.[0]);
    expect(exit).toBe('3');
  });

  it('input that is not read stays for the next command', async () => {
    const home = await place();
    const result = await shell(
      home,
      `printf '1\\n2\\n3\\n' | while read x; do ${unstuck} -- sh -c "echo got $x"; done`,
    );
    expect(result.stdout).toBe('got 1\ngot 2\ngot 3\n');
  });

  it('a report to /dev/stdout is added to what is there', async () => {
    const home = await place();
    const file = path.join(home, 'all.txt');
    writeFileSync(file, 'before\n');
    expect((await shell(home, `${unstuck} --report /dev/stdout -- echo out >>"$3/all.txt"`)).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^before\nout\n\{[\s\S]*"outcome": "exited"/);
  });

  it('--pty with more input than the program reads', async () => {
    const home = await place();
    const script = `yes | ${unstuck} --pty --stdin pipe --timeout 1s --grace 200ms -- sh -c 'stty raw -echo; sleep 300'`;
    expect((await shell(home, script)).status).toBe(124);
  });

  it('all variables reach the command, also with names that a shell does not allow', async () => {
    const home = await place();
    // bash has a socket as its input here, and must not take it for that of a remote shell.
    writeFileSync(path.join(home, '.bashrc'), 'export READ=bashrc');
    const env = {
      HOME: home,
      'INPUT_NODE-VERSION': '20',
      'a.b': 'c',
      dir: 'mine',
      id: 'mine',
      status: 'mine',
      cat: 'mine',
    };
    const result = await shell(home, `exec ${unstuck} -- env`, env);
    expect(result.stdout).toMatch(/^INPUT_NODE-VERSION=20$/m);
    expect(result.stdout).toMatch(/^a\.b=c$/m);
    expect(result.stdout).not.toContain('READ=');
    expect(result.stdout.match(/^(dir|id|status|cat)=mine$/gm)).toHaveLength(4);
  });

  it('SIGTERM to all processes of the run at once does not lose the exit code', async () => {
    const cli = run(['--', 'sh', '-c', 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done']);
    await cli.until('ready', () => cli.stdout.includes('ready'));
    const leader = await cli.pid();
    const shim = spawnSync('ps', ['-eo', 'pid,sid,args']).stdout.toString();
    const shims = [...shim.matchAll(/^\s*(\d+)\s+\d+ .*$/gm)].filter(([line]) => line.includes(cli.home));
    for (const [, pid] of shims) if (Number(pid) !== cli.child.pid) process.kill(Number(pid), 'SIGTERM');
    process.kill(leader, 'SIGTERM');
    expect(shims.length).toBeGreaterThan(1);
    expect(await cli.done).toBe(9);
    expect(cli.report.exit).toEqual({ code: 9, signal: null, provenance: 'recorded' });
  });

  it('with --json every line is an event, however much is printed on both streams', async () => {
    const script = 'seq 1 200000 & seq 1 200000 >&2; wait; printf "\\303"';
    const cli = run(['--json', '--', 'sh', '-c', script]);
    expect(await cli.done).toBe(0);
    const text = (stream: string) =>
      cli.events
        .map((event) => (event.kind === 'output' && event.stream === stream ? event.text : ''))
        .join('');
    expect(text('stderr').length).toBe(1_288_895);
    expect(text('stdout').length).toBe(1_288_896);
    for (const event of cli.events)
      expect(event).toEqual(expect.objectContaining({ kind: expect.any(String), at: expect.any(String) }));
    expect(cli.events.at(-1)?.kind).toBe('exited');
  });

  it('Ctrl-Z stops the command too, and fg lets it go on', async () => {
    const script = 'i=0; until [ -e "$HOME_OF_RUN/go" ]; do i=$((i+1)); echo $i; sleep 0.05; done';
    const cli = run(['--', 'sh', '-c', script]);
    const leader = await cli.pid();
    const stateOf = (pid: number) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    await cli.until('output', () => cli.stdout.includes('3\n'));
    cli.child.kill('SIGTSTP');
    await cli.until('both stopped', () => stateOf(leader) === 'T' && stateOf(cli.child.pid ?? 0) === 'T');
    const printed = cli.stdout;
    cli.child.kill('SIGCONT');
    await cli.until('more output', () => cli.stdout.length > printed.length + 10);
    cli.go();
    expect(await cli.done).toBe(0);
    const lines = cli.stdout.trimEnd().split('\n');
    expect(lines).toEqual(lines.map((_, index) => `${index + 1}`));
  });

  it('the outer of two runs leaves nothing of the inner, daemons included', async () => {
    const inner =
      'trap "" TERM INT; (setsid sh -c "echo \\"child \\$\\$\\"; exec sleep 300" &); while :; do sleep 0.1; done';
    const nested = [process.execPath, cliPath, 'run', '--', 'sh', '-c', inner];
    const cli = run(['--timeout', '20s', '--grace', '100ms', '--', ...nested]);
    const child = await cli.until('a child', () => Number(/child (\d+)/.exec(cli.stdout)?.[1]) || null);
    expect(await cli.done).toBe(124);
    expect(isAlive(child)).toBe(false);
  });

  it('a limit on the size of files costs the log, not the output', async () => {
    const home = await place();
    const result = await shell(home, `ulimit -f 200; ${unstuck} -- seq 1 100000`);
    expect(result.status).toBe(0);
    expect(result.stdout.endsWith('99999\n100000\n')).toBe(true);
  });

  it('arguments that are not UTF-8 arrive as they are', async () => {
    const home = await place();
    const result = await shell(home, `${unstuck} -- printf %s $'\\xff\\n' | od -An -tx1`);
    expect(result.status).toBe(0);
    expect(result.stdout.trim()).toBe('ff 0a');
  });

  it('a program whose name begins with a dash is a program', async () => {
    const home = await place();
    const script = `mkdir "$3/bin" && ln -s "$(type -P true)" "$3/bin/-x" && PATH="$3/bin:$PATH" ${unstuck} -- -x`;
    expect((await shell(home, script)).status).toBe(0);
  });

  it('a label is masked like a command', async () => {
    const cli = run(['--label', 'x --token=abcdef0123456789', '--', 'false']);
    expect(await cli.done).toBe(1);
    expect(cli.report.label).toBe('x --token=***');
  });
});
