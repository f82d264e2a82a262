import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../support/compile.js';
import { patienceMs } from '../../../support/patience.js';
import { cliPath } from '../../../support/run-cli.js';
import { isAlive, startRunCli as run, untilGo } from '../../../support/start-run-cli.js';

const ctrlC = '\x03';

const ignoring = 'trap "" TERM INT HUP; sleep 300 & echo "child $!"; while :; do sleep 0.1; done';

function childOf(cli: ReturnType<typeof run>): Promise<number> {
  return cli.until('a child', () => Number(/child (\d+)/.exec(cli.stdout)?.[1]) || null);
}

describe.concurrent('limits', () => {
  it('--timeout ends the tree with 124, evidence and a receipt', async () => {
    const cli = run(['--timeout', '10s', '--grace', '200ms', '--', 'sh', '-c', ignoring]);
    const child = await childOf(cli);
    expect(await cli.done).toBe(124);
    expect(isAlive(child)).toBe(false);
    const { report } = cli;
    expect(report.outcome).toBe('timeout');
    expect(report.exit).toEqual({ code: 137, signal: 'SIGKILL', provenance: 'recorded' });
    expect(report.why).not.toBeNull();
    expect(report.files.some((file) => file.endsWith('snapshot.json'))).toBe(true);
    const entry = report.receipt?.processes.find(({ pid }) => pid === child);
    expect(entry).toMatchObject({ result: 'ended', signals: expect.arrayContaining(['SIGTERM', 'SIGKILL']) });
    expect(report.receipt?.survivors).toEqual([]);
  });

  it('a limit that is reached before the command is known ends it as soon as it is', async () => {
    const cli = run(['--timeout', '1ms', '--', 'sleep', '300']);
    expect(await cli.done).toBe(124);
    expect(cli.report).toMatchObject({ outcome: 'timeout', receipt: { survivors: [] } });
  });

  it('--idle-timeout counts from the last output, and ends with 121', async () => {
    const cli = run([
      '--idle-timeout',
      '8s',
      '--',
      'sh',
      '-c',
      'for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 1; done; sleep 300',
    ]);
    expect(await cli.done).toBe(121);
    expect(cli.stdout).toBe('1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    expect(cli.report.outcome).toBe('idle-timeout');
  });

  it('--expect-output-every: a longer silence is reported, and --kill-on high stops it', async () => {
    const cli = run([
      ...['--expect-output-every', '1s', '--sample', '200ms', '--kill-on', 'high', '--grace', '200ms'],
      ...['--', 'sh', '-c', 'echo one; sleep 300'],
    ]);
    expect(await cli.done).toBe(121);
    expect(cli.report).toMatchObject({
      outcome: 'stuck',
      diagnosis: { health: 'likely-stuck', confidence: 'high', safeToKill: false },
    });
    expect(cli.report.diagnosis?.reason).toMatch(/^expected output every 1 s, but there was none for /);
  });

  it('--expect-done-in is no time limit: without --kill-on it is only reported', async () => {
    const cli = run([
      ...['--expect-done-in', '1s', '--sample', '200ms', '--kill-on', 'certain'],
      ...['--', 'sh', '-c', 'until [ -e "$HOME_OF_RUN/go" ]; do echo working; sleep 0.2; done'],
    ]);
    await cli.until('the health', () => cli.stderr.includes('(likely-stuck, high)'));
    expect(cli.stderr).toContain('expected to be done in 1 s, but it still runs after ');
    cli.go();
    expect(await cli.done).toBe(0);
  });

  it('nothing is killed by default, however certain it is', async () => {
    const cli = run(
      ['--sample', '200ms', '--stdin', 'inherit', '--', 'sh', '-c', 'read line; echo "got $line"'],
      {
        silentInput: true,
      },
    );
    await cli.until('the verdict', () => cli.stderr.includes('appears stuck'));
    cli.child.stdin?.end('hello\n');
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('got hello\n');
  });
});

describe.concurrent('signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s is passed on, and the command decides',
    async (signal) => {
      const name = signal.slice(3);
      const script = `trap 'echo told; exit 7' ${name}; echo ready; while :; do sleep 0.05; done`;
      const cli = run(['--', 'sh', '-c', script]);
      await cli.until('ready', () => cli.stdout.includes('ready'));
      cli.child.kill(signal);
      expect(await cli.done).toBe(7);
      expect(cli.stdout).toBe('ready\ntold\n');
      expect(cli.report.outcome).toBe('interrupted');
    },
  );

  it('without a terminal of the command, a second Ctrl-C kills now, and nothing is left', async () => {
    const cli = run(['--no-pty', '--grace', '60s', '--', 'sh', '-c', ignoring], { onTerminal: true });
    const child = await childOf(cli);
    const leader = await cli.pid();
    cli.child.stdin?.write(ctrlC);
    await cli.until('the first one', () => cli.read('events.jsonl').includes('SIGINT'));
    expect(isAlive(leader)).toBe(true);
    cli.child.stdin?.write(ctrlC);
    expect(await cli.done).toBe(137);
    expect([leader, child].filter(isAlive)).toEqual([]);
  });

  it('signals around the end of the command change neither its exit code nor its report', async () => {
    const script = `trap "" TERM; echo ready; ${untilGo()}; exit 0`;
    const cli = run(['--keep-log', 'always', '--', 'sh', '-c', script]);
    await cli.until('its start', () => cli.stdout.includes('ready'));
    cli.go();
    // The shim fills this file when the command has ended.
    while (cli.read('exit').trim() === '') await nextTurn();
    const storm = setInterval(() => cli.child.kill('SIGTERM'), 1);
    expect(await cli.done.finally(() => clearInterval(storm))).toBe(0);
    expect(cli.report.exit).toEqual({ code: 0, signal: null, provenance: 'recorded' });
  });

  it('a flood of signals delays neither the end of the command nor its exit code', async () => {
    const script = `trap "" TERM; echo ready; ${untilGo()}; exit 0`;
    const cli = run(['--', 'sh', '-c', script]);
    await cli.until('its start', () => cli.stdout.includes('ready'));
    const storm = setInterval(() => cli.child.kill('SIGTERM'), 1);
    await cli.until('signals are passed on', () => cli.read('events.jsonl').includes('"signal":"SIGTERM"'));
    cli.go();
    expect(await cli.done.finally(() => clearInterval(storm))).toBe(0);
  });

  it('a second signal of a program is passed on like the first', async () => {
    const cli = run(['--grace', '200ms', '--', 'sh', '-c', ignoring]);
    await childOf(cli);
    const leader = await cli.pid();
    const passed = () => cli.read('events.jsonl').split('"signal":"SIGINT"').length - 1;
    for (const count of [1, 2, 3]) {
      cli.child.kill('SIGINT');
      await cli.until(`signal ${count}`, () => passed() === count);
    }
    expect(isAlive(leader)).toBe(true);
    process.kill(leader, 'SIGKILL');
    expect(await cli.done).toBe(137);
  });

  it('Ctrl-C at a terminal ends a loop of the shell around us', async () => {
    const loop = 'for i in 1 2 3; do echo "round $i"; "$@"; done; echo over';
    const cli = run(['--', 'sh', '-c', 'echo ready; exec sleep 300'], { onTerminal: true, around: loop });
    await cli.until('ready', () => cli.stdout.includes('ready'));
    cli.child.stdin?.write(ctrlC);
    expect(await cli.done).toBe(130);
    expect(cli.stdout).not.toMatch(/round 2|over/);
  });

  it('a handler of SIGTSTP runs before the command is stopped', async () => {
    const script = 'trap "echo tidy" TSTP; echo ready; while [ ! -e "$HOME_OF_RUN/go" ]; do sleep 0.05; done';
    const cli = run(['--', 'sh', '-c', script]);
    const leader = await cli.pid();
    await cli.until('ready', () => cli.stdout.includes('ready'));
    cli.child.kill('SIGTSTP');
    const stateOf = (pid: number) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    await cli.until('both stopped', () => stateOf(leader) === 'T' && stateOf(cli.child.pid ?? 0) === 'T');
    writeFileSync(path.join(cli.home, 'go'), '');
    cli.child.kill('SIGCONT');
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('ready\ntidy\n');
  });

  it('what the command leaves behind after Ctrl-C is stopped', async () => {
    const script =
      'trap "exit 5" INT; (trap "" INT; echo "child $(exec sh -c "echo \\$PPID")"; sleep 300) & while :; do sleep 0.05; done';
    const cli = run(['--grace', '300ms', '--', 'sh', '-c', script]);
    const child = await childOf(cli);
    cli.child.kill('SIGINT');
    expect(await cli.done).toBe(5);
    expect(isAlive(child)).toBe(false);
  });

  it('a report exists even when we are killed soon after a signal', async () => {
    const cli = run(['--', 'sh', '-c', ignoring]);
    const child = await childOf(cli);
    const leader = await cli.pid();
    cli.child.kill('SIGTERM');
    const report = await cli.until('a report', () => cli.report);
    cli.child.kill('SIGKILL');
    await cli.done;
    expect(report).toMatchObject({ outcome: 'interrupted', exit: { code: null, provenance: 'unknown' } });
    for (const pid of [leader, child]) process.kill(pid, 'SIGKILL');
    await cli.until('their end', () => !isAlive(leader) && !isAlive(child));
  });

  it('being stopped for a while is no silence', async () => {
    const cli = run(['--idle-timeout', '5s', '--', 'sh', '-c', `echo ready; ${untilGo()}; echo done`]);
    await cli.until('ready', () => cli.stdout.includes('ready'));
    cli.child.kill('SIGSTOP');
    cli.go();
    // Longer than the limit and its tolerance together: the time passes, whatever the machine does.
    await delay(6500);
    cli.child.kill('SIGCONT');
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toBe('ready\ndone\n');
  });
});

describe.concurrent('leaving nothing behind', () => {
  it('a fork storm leaves no survivor, and a stranger outside is not touched', async () => {
    const storm = await compile('tree/storm');
    const canary = spawn(storm, ['40'], { env: { ...process.env, CANARY: '1' } });
    let signals = '';
    canary.stdout.on('data', (chunk) => {
      signals += chunk;
    });
    const cli = run(['--timeout', '2s', '--grace', '300ms', '--', storm, '40']);
    try {
      expect(await cli.done).toBe(124);
      expect(cli.report.receipt?.survivors).toEqual([]);
      expect(cli.report.receipt?.processes.length).toBeGreaterThan(20);
      expect(canary.exitCode).toBeNull();
      expect(signals).not.toContain('signal');
    } finally {
      canary.kill('SIGKILL');
    }
  });

  it.skipIf(process.getuid?.() !== 0)('a fork storm whose pids wrap around leaves no survivor', async () => {
    const place = run(['--', 'true']);
    await place.done;
    const script = `echo $(($(cat /proc/sys/kernel/pid_max) - 150)) >/proc/sys/kernel/ns_last_pid
      "$@"; echo "code $?"; ps -eo comm | grep -c storm; :`;
    const command = [process.execPath, cliPath, 'run', '--timeout', '2s', '--grace', '300ms', '--'];
    const argv = [
      '-p',
      '-f',
      '--mount-proc',
      'sh',
      '-c',
      script,
      'sh',
      ...command,
      await compile('tree/storm'),
      '40',
    ];
    const env = { ...process.env, UNSTUCK_HOME: place.home };
    const result = await promisify(execFile)('unshare', argv, { env, timeout: patienceMs });
    expect(result.stdout).toMatch(/code 124\n0\n$/);
    expect(result.stderr).toMatch(/stopped (\d{2,}) of \1 processes/);
  });

  it('a daemon that forked twice into a session of its own is found', async () => {
    const script = '(setsid sh -c "echo \\"child \\$\\$\\"; exec sleep 300" &); sleep 300';
    const cli = run(['--timeout', '10s', '--', 'sh', '-c', script]);
    const child = await childOf(cli);
    expect(await cli.done).toBe(124);
    expect(isAlive(child)).toBe(false);
    const entry = cli.report.receipt?.processes.find(({ pid }) => pid === child);
    expect(entry?.because).toContain('run-id');
  });

  it('a run ends with its command, and processes that still hold its output are named', async () => {
    // Until then the child is a shell.
    const sleeps = 'while read -r name </proc/$!/comm && [ "$name" != sleep ]; do sleep 0.02; done';
    const script = `sleep 300 & echo "child $!"; ${sleeps}; exit 4`;
    const cli = run(['--linger', '500ms', '--', 'sh', '-c', script]);
    const child = await childOf(cli);
    expect(await cli.done).toBe(4);
    expect(isAlive(child)).toBe(true);
    expect(cli.report.leftBehind).toEqual([{ pid: child, command: 'sleep 300' }]);
    expect(cli.stderr).toMatch(/left running: sleep 300 \(\d+\) \(their later output is not passed on;/);
    process.kill(child, 'SIGKILL');
    await cli.until('its end', () => !isAlive(child));
  });

  it('a process that left the run and holds its output open does not keep the run from ending', async () => {
    const left =
      '(env -i setsid sh -c \'echo "child $$"; : >"$0"; exec sleep 300\' "$HOME_OF_RUN/there" &); until [ -e "$HOME_OF_RUN/there" ]; do sleep 0.05; done; exit 4';
    const cli = run(['--linger', '300ms', '--', 'sh', '-c', left]);
    const child = await childOf(cli);
    try {
      expect(await cli.done).toBe(4);
      expect(isAlive(child)).toBe(true);
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });

  it('--leftovers kill stops them', async () => {
    const cli = run(['--leftovers', 'kill', '--', 'sh', '-c', 'sleep 300 & echo "child $!"; exit 4']);
    expect(await cli.done).toBe(4);
    const child = await childOf(cli);
    expect(isAlive(child)).toBe(false);
    expect(cli.report.receipt?.processes).toMatchObject([{ pid: child, result: 'ended' }]);
  });
});
