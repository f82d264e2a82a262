import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliPath } from '../../../support/run-cli.js';
import { isAlive, startRunCli as run, untilGo } from '../../../support/start-run-cli.js';

describe('SIGKILL of the supervisor', () => {
  it('the command goes on; its output and exit code are on disk', async () => {
    const cli = run([
      '--',
      'sh',
      '-c',
      `for i in $(seq 1 40); do echo line $i; [ $i -lt 20 ] || ${untilGo()}; sleep 0.02; done; echo last >&2; exit 9`,
    ]);
    await cli.until('output', () => cli.stdout.includes('line 5\n'));
    cli.child.kill('SIGKILL');
    await cli.until('its end', () => cli.child.signalCode !== null);
    cli.go();
    const exit = await cli.until('an exit status', () => /^\d+/.exec(cli.read('exit'))?.[0]);
    expect(exit).toBe('9');
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join('');
    await cli.until('all of stdout', () => cli.read('stdout.log').endsWith(`\n\n${lines}`));
    await cli.until('all of stderr', () => cli.read('stderr.log').endsWith('\n\nlast\n'));
    const record = JSON.parse(cli.read('run.json'));
    expect(record.identity).toMatchObject({ pid: await cli.pid(), startTicks: expect.any(Number) });
  });

  it('nor does it notice on a terminal', async () => {
    const script = `echo one; ${untilGo()}; echo two; test -t 1; exit $((10 + $?))`;
    const cli = run(['--pty', '--', 'sh', '-c', script]);
    await cli.until('output', () => cli.stdout.includes('one'));
    cli.child.kill('SIGKILL');
    await cli.until('its end', () => cli.child.signalCode !== null);
    cli.go();
    const exit = await cli.until('an exit status', () => /^\d+/.exec(cli.read('exit'))?.[0]);
    expect(exit).toBe('10');
    await cli.until('the rest', () => cli.read('output.log').endsWith('one\r\ntwo\r\n'));
  });

  it('a shim that was killed leaves no invented exit code', async () => {
    const cli = run(['--', 'sh', '-c', `${untilGo()}; exit 0`]);
    const pid = await cli.pid();
    const ancestors: number[] = [];
    for (let at = pid; at !== cli.child.pid; ) {
      at = await cli.until('a parent', () => parentOf(at));
      if (at !== cli.child.pid) ancestors.push(at);
    }
    for (const ancestor of ancestors) process.kill(ancestor, 'SIGKILL');
    cli.go();
    expect(await cli.done).toBe(125);
    expect(isAlive(pid)).toBe(false);
    expect(cli.report).toMatchObject({
      outcome: 'lost',
      exit: { code: null, signal: null, provenance: 'unknown' },
    });
  });
});

function parentOf(pid: number): number {
  const stat = spawnSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8' }).stdout;
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

describe('nowhere to keep anything', () => {
  it('the files of a run are its owner’s alone', async () => {
    const cli = run(['--keep-log', 'always', '--', 'sh', '-c', 'echo out; exit 0']);
    expect(await cli.done).toBe(0);
    const dir = cli.directory ?? '';
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of [
      'run.json',
      'stdout.log',
      'stderr.log',
      'exit',
      'pid',
      'events.jsonl',
      'report.json',
    ]) {
      expect([name, statSync(path.join(dir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('an unwritable log directory costs the log, not the run', async () => {
    const cli = run(['--', 'true']);
    await cli.done;
    const home = path.join(cli.home, 'closed');
    mkdirSync(home);
    chmodSync(home, 0o500);
    // For root no directory is closed, but there are places where nothing can be made.
    const dir = process.getuid?.() === 0 ? '/proc/unstuck' : path.join(home, 'runs');
    const script = 'echo out; echo err >&2; exit 6';
    const other = run(['--log-dir', dir, '--', 'sh', '-c', script]);
    expect(await other.done).toBe(6);
    expect(other.stdout).toBe('out\n');
    expect(other.stderr).toMatch(/note: the output is not kept: /);
    expect(other.stderr).toMatch(/^err$/m);
  });

  it('a full disk does not end the command, and its exit code is kept', async (context) => {
    const script = `mount -t tmpfs -o size=400k tmpfs "$1" && cd / &&
      UNSTUCK_HOME="$1" "$2" "$3" run -- sh -c 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end; exit 8'
      code=$?
      cat "$1"/runs/*/exit >&2
      exit $code`;
    const result = await onSmallDisk(script);
    if (/unshare|mount/.test(result.stderr.toString().split('\n')[0] ?? ''))
      return context.skip('no user namespaces here');
    expect(result.status).toBe(8);
    expect(result.stdout.toString()).toMatch(/x\nend\n$/);
    // All of it, although the log has only a part.
    expect(result.stdout.toString().split('x').length - 1).toBe(3_000_000);
    expect(result.stderr.toString()).toMatch(/some of its output was not saved/);
    expect(result.stderr.toString()).toMatch(/^8 +$/m);
  });

  it('a disk that another process fills later: all output still arrives', async (context) => {
    const script = `mount -t tmpfs -o size=300m tmpfs "$1" && cd "$1" || exit 77
      command='echo first; until [ -e go ]; do sleep 0.05; done; seq 20000; seq 5 >&2'
      UNSTUCK_HOME="$1" "$2" "$3" run -- sh -c "$command" & run=$!
      # Behind the end of both logs there is room now that no other process can take.
      for log in stdout stderr; do
        i=0; until [ "$(stat -c %b runs/*/$log.log 2>/dev/null || echo 0)" -gt 4096 ] || [ $i -gt 600 ]; do sleep 0.05; i=$((i+1)); done
      done
      cat /dev/zero >big 2>/dev/null
      : >go; wait $run`;
    const result = await onSmallDisk(script);
    if (/unshare|mount/.test(result.stderr.toString().split('\n')[0] ?? ''))
      return context.skip('no user namespaces here');
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
    expect(result.stdout.toString()).toBe(`first\n${numbers(20_000)}`);
    expect(result.stderr.toString()).toContain(numbers(5));
    expect(result.status).toBe(0);
  });
});

/** Runs a script that may mount: its arguments are a directory, Node and the CLI. */
async function onSmallDisk(script: string) {
  const cli = run(['--', 'true']);
  await cli.done;
  const dir = path.join(cli.home, 'small');
  mkdirSync(dir);
  const namespace = ['--user', '--map-root-user', '--mount'];
  const words = ['sh', '-c', script, 'sh', dir, process.execPath, cliPath];
  return spawnSync('unshare', [...namespace, ...words], { maxBuffer: 16_000_000 });
}
