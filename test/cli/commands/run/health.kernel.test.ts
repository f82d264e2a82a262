import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../src/model/run/run.js';
import { compile, programsDir } from '../../../support/compile.js';
import { cliPath } from '../../../support/run-cli.js';
import { startRunCli as run, untilGo } from '../../../support/start-run-cli.js';

/** Looks often, and calls anything stuck as soon as the rules allow. */
const hasty = [
  ...[
    '--sample',
    '200ms',
    '--activity-window',
    '1s',
    '--silence',
    '1s',
    '--escalate',
    '500ms',
    '--confirm',
    '2s',
  ],
  ...['--heartbeat', '0', '--kill-on', 'medium', '--grace', '500ms'],
];

const watching = [
  '--json',
  '--sample',
  '200ms',
  '--heartbeat',
  '0',
  '--kill-on',
  'certain',
  '--grace',
  '500ms',
];

function lastHealth(events: RunEvent[]): Extract<RunEvent, { kind: 'health' }> | undefined {
  return events.findLast((event) => event.kind === 'health');
}

describe.concurrent('a proven hang is reported, and ended with --kill-on certain', () => {
  const asking = 'printf "Continue? "; read answer';
  const secret = 'stty -echo; printf "Password: "; read answer';
  it.each([
    ['a prompt on a terminal', ['--pty'], ['sh', '-c', asking], 'needs-input', /a person to type/],
    ['a password prompt', ['--pty'], ['sh', '-c', secret], 'needs-input', /password/],
    ['a deadlock', [], ['{mutex}'], 'deadlock', /each other|itself|for ever/],
  ])('%s', async (_name, options, command, kind, words) => {
    const argv = await Promise.all(
      command.map((word) => (word === '{mutex}' ? compile('mutex-ab-ba') : word)),
    );
    const cli = run([...watching, ...options, '--', ...argv], { silentInput: true });
    expect(await cli.done).toBe(121);
    const health = lastHealth(cli.events)?.diagnosis;
    expect(health).toMatchObject({
      health: 'confirmed-stuck',
      confidence: 'certain',
      severity: 'critical',
      safeToKill: true,
      verdict: { kind, certainty: 'certain' },
    });
    expect(health?.reason).toMatch(words);
    expect(health?.evidence.length).toBeGreaterThan(0);
    const kinds = cli.events.map((event) => event.kind);
    expect(kinds.indexOf('health')).toBeLessThan(kinds.indexOf('evidence'));
    expect(kinds.indexOf('evidence')).toBeLessThan(kinds.indexOf('killed'));
    expect(kinds.at(-1)).toBe('exited');
  });

  it('a read from a pipe whose writer has timers is not ended: it may write', async () => {
    // Not this process: with other tests in it, it may work all the time.
    const program = `const child = require('child_process').spawn(process.argv[1], process.argv.slice(2), {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.on('close', (code) => process.exit(code));
    const timer = setInterval(() => {
      if (!require('fs').existsSync(process.env.HOME_OF_RUN + '/go')) return;
      clearInterval(timer);
      child.stdin.end('yes\\n');
    }, 200);`;
    const cli = run([...hasty, '--kill-on', 'certain', '--json', '--', 'sh', '-c', 'read answer'], {
      around: `exec '${process.execPath}' -e "$WRITER" "$@"`,
      env: { WRITER: program },
    });
    const isStuck = () => lastHealth(cli.events)?.diagnosis.health === 'confirmed-stuck';
    await cli.until('it is called stuck, by its silence', isStuck);
    expect(lastHealth(cli.events)?.diagnosis).toMatchObject({
      confidence: 'high',
      safeToKill: false,
      verdict: { kind: 'needs-input', certainty: 'high' },
    });
    cli.go();
    expect(await cli.done).toBe(0);
  });

  it('at the default sampling a hang is reported after three samples', async () => {
    const cli = run(['--json', '--heartbeat', '0', '--pty', '--', 'sh', '-c', 'read answer']);
    const health = await cli.until('a verdict', () => lastHealth(cli.events));
    expect(health.diagnosis.reason).toContain('the same in 3 samples in a row');
    expect(cli.events.map(({ kind }) => kind)).toEqual(['started', 'health']);
    cli.child.kill('SIGINT');
    expect(await cli.done).toBe(130);
  });
});

describe.concurrent('never called stuck', () => {
  const computing = 'i=0; while [ $i -lt 1500000 ]; do i=$((i + 1)); done; echo done';
  it.each([
    ['a silent busy worker', ['sh', '-c', computing]],
    ['a silent worker whose children compute', ['sh', '-c', `(${computing}) | cat`]],
    ['a sleep', ['sleep', '5']],
    ['a slow answer over the network', [process.execPath, '{slow}']],
  ])('%s, however hasty the settings', async (_name, command) => {
    const argv = command.map((word) =>
      word === '{slow}' ? path.join(programsDir, 'tree/slow-answer.mjs') : word,
    );
    const cli = run([...hasty, '--json', '--', ...argv]);
    expect(await cli.done).toBe(0);
    expect(cli.events.some(({ kind }) => kind === 'killed')).toBe(false);
    const worst = cli.events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis.health] : []));
    expect(worst).not.toContain('likely-stuck');
    expect(worst).not.toContain('confirmed-stuck');
  });

  it('a silent server', async () => {
    const cli = run([...hasty, '--heartbeat', '500ms', '--', await compile('idle-server')]);
    // Twice as long as it takes to be sure of anything with these settings.
    await cli.until(
      'heartbeats',
      () => cli.stderr.split(' alive ').length > 16 || cli.child.exitCode !== null,
    );
    expect(cli.stderr).not.toContain('appears stuck');
    cli.child.kill('SIGTERM');
    expect(await cli.done).toBe(143);
  });
});

describe.concurrent('stalls by output', () => {
  const stalling = ['--heartbeat', '2s', '--arm-after', '0', '--kill-on-stall', '--grace', '500ms'];
  const spin = 'i=0; while :; do for c in "|" / - "\\\\"; do printf "\\r$c loading"; sleep 0.05; done; done';
  const bar =
    'for i in $(seq 1 99); do printf "\\r%3d%%" $i; done; while :; do printf "\\r 99%%"; sleep 0.05; done';
  const counter =
    'for i in 1 2 3 4 5 6; do echo "[$i/10] test $i"; sleep 0.2; done; n=0; while :; do n=$((n+1)); echo "still waiting $n"; sleep 0.05; done';
  it.each([
    ['a spinner that repeats', spin, /the same/],
    ['stuck at 99 %', bar, /99/],
    ['a progress counter that stops while output goes on', counter, /6\/10/],
  ])('%s', async (_name, script, words) => {
    const cli = run([...stalling, '--', 'sh', '-c', script]);
    expect(await cli.done).toBe(121);
    expect(cli.report.outcome).toBe('stalled');
    expect(cli.stderr).toMatch(words);
    expect(cli.stderr).toMatch(/appears stalled: /);
  });

  it('nothing is a stall before stalls are armed, and the heartbeat shows when that is', async () => {
    const command = ['sh', '-c', 'echo same; cat'];
    const cli = run(['--heartbeat', '200ms', '--kill-on-stall', '--', ...command], { silentInput: true });
    await cli.until('a heartbeat', () => / arm-in=3\d\ds same=\d+\/3 /.test(cli.stderr));
    cli.child.stdin?.end();
    expect(await cli.done).toBe(0);
    expect(cli.stderr).not.toContain('stalled');
  });
});

describe.concurrent('heartbeats', () => {
  const pattern =
    /^\[heartbeat\] coverage alive t\+00:\d\d:\d\d last-out=(none|\d+s) line='[^']{0,60}' pid=\d+ procs=\S+( x\d+)?(,\S+( x\d+)?)* cpu=\d+% phase=\S+ state=healthy arm-in=\d+s same=\d+\/3 log=\S+$/;

  it('every heartbeat is a line of the same format, also without output', async () => {
    const long = 'running test_integration with a line that is longer than sixty characters, much';
    const script = `${untilGo('print')}; echo "${long}"; ${untilGo('end')}`;
    const cli = run([
      '--label',
      'coverage',
      '--heartbeat',
      '300ms',
      '--sample',
      '200ms',
      '--',
      'sh',
      '-c',
      script,
    ]);
    const alive = () => cli.stderr.split('\n').filter((line) => line.includes(' alive '));
    await cli.until('two pulses without output', () => alive().length >= 2);
    cli.go('print');
    await cli.until('a pulse with the line', () => alive().some((line) => line.includes('test_integration')));
    cli.go('end');
    expect(await cli.done).toBe(0);
    const [first, ...lines] = cli.stderr.trimEnd().split('\n');
    expect(first).toMatch(/^\[heartbeat\] coverage started .*log=\S+stdout\.log$/);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(pattern);
    expect(lines[0]).toContain("last-out=none line=''");
    expect(lines.at(-1)).toContain("line='running test_integration with a line that is longer than si");
  });

  it('marks a last line from stderr, also in JSON', async () => {
    const often = ['--heartbeat', '200ms', '--sample', '200ms'];
    const script = `echo out; ${untilGo()}; echo oops >&2; exec sleep 1000`;
    const text = run([...often, '--', 'sh', '-c', script]);
    const json = run([...often, '--json', '--', 'sh', '-c', script]);
    const has = (seen: string) =>
      json.events.some((event) => event.kind === 'heartbeat' && `${event.lineStream} ${event.line}` === seen);
    await text.until('its line', () => text.stderr.includes(" line='out' "));
    await json.until('its line', () => has('stdout out'));
    for (const cli of [text, json]) cli.go();
    await text.until('its line', () => text.stderr.includes(" line(stderr)='oops' "));
    await json.until('its line', () => has('stderr oops'));
    for (const cli of [text, json]) cli.child.kill('SIGTERM');
    expect([await text.done, await json.done]).toEqual([143, 143]);
  });

  it('shows how much CPU, memory and I/O the tree uses', async () => {
    const cli = run([
      '--json',
      '--sample',
      '300ms',
      '--heartbeat',
      '500ms',
      '--',
      'sh',
      '-c',
      'while :; do :; done',
    ]);
    const used = await cli.until('a tree that computes', () =>
      cli.events.find(
        // Where CPUs are scarce, it does not get much of one.
        (event) => event.kind === 'heartbeat' && event.cpuPercent > 1 && event.metrics !== undefined,
      ),
    );
    expect(used).toMatchObject({ metrics: { processes: 1, ioBytes: expect.any(Number) } });
    cli.child.kill('SIGTERM');
    expect(await cli.done).toBe(143);
  });

  it('names the phase from the programs in the tree, and by rules of the user', async () => {
    const script = 'ln -s "$(command -v sleep)" "$HOME_OF_RUN/cc1plus" && "$HOME_OF_RUN/cc1plus" 1000';
    const printing = ['--phase', 'brewing=kettle', '--', 'sh', '-c', 'echo the kettle; exec sleep 1000'];
    const own = run(['--heartbeat', '300ms', '--', 'sh', '-c', script]);
    const user = run(['--heartbeat', '300ms', ...printing]);
    await user.until('its phase', () => user.stderr.includes(' phase=brewing '));
    await own.until('its phase', () => own.stderr.includes(' phase=compile '));
    for (const cli of [own, user]) cli.child.kill('SIGTERM');
    expect([await own.done, await user.done]).toEqual([143, 143]);
  });
});

describe.concurrent('on a terminal', () => {
  it('a live status line leaves the output of the command as it is', async () => {
    const inner = `for i in 1 2 3 4; do echo "line $i"; sleep 0.6; done; ${untilGo()}; echo "line 5"`;
    const cli = run([
      '--pty',
      '--no-quiet-env',
      '--',
      process.execPath,
      cliPath,
      'run',
      '--',
      'sh',
      '-c',
      inner,
    ]);
    await cli.until('a status line', () => / │ line \d\x1b/.test(cli.stdout));
    cli.go();
    expect(await cli.done).toBe(0);
    const status = /\r\x1b\[2K\x1b\[\?7l(.*?)\x1b\[\?7h/g;
    const shown = [...cli.stdout.matchAll(status)].map(([, text]) => text);
    // At first it may not have printed anything.
    expect(shown.find((text) => text?.includes(' │ '))).toMatch(
      /^sh: healthy · 00:\d\d:\d\d · \d+% CPU.* │ line \d$/,
    );
    const rest = cli.stdout.replace(status, '').replaceAll('\r\x1b[2K', '');
    expect(rest).toBe('line 1\r\nline 2\r\nline 3\r\nline 4\r\nline 5\r\n');
  });

  it('a question that a person can answer is a notice at once, and no fault', async () => {
    const inner = ['--no-pty', '--status', 'lines', '--sample', '200ms', '--kill-on', 'certain'];
    const script = 'printf "name? "; read name; echo "hello $name"';
    const command = [process.execPath, cliPath, 'run', ...inner, '--', 'sh', '-c', script];
    const cli = run(['--pty', '--stdin', 'pipe', '--', ...command], { silentInput: true });
    await cli.until('the notice', () => cli.stdout.includes('waits for an answer'));
    cli.child.stdin?.write('Ada\n');
    expect(await cli.done).toBe(0);
    expect(cli.stdout).toContain('hello Ada');
    expect(cli.stdout).not.toContain('appears stuck');
  });
});
