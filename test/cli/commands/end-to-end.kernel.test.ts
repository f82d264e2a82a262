import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { askUntil } from '../../support/ask-until.js';
import { openSockets } from '../../support/open-files.js';
import { cliPath } from '../../support/run-cli.js';
import { isAlive } from '../../support/start-run-cli.js';
import { useBackgroundHome } from './background-home.js';

const background = useBackgroundHome();

describe('a run in the background from the command line', () => {
  it('is started, listed, polled, waited for and read', async () => {
    const { home } = background;
    const id = await home.start('--label', 'job', '--task', 'ci', '--', 'sh', '-c', 'echo hello; exit 4');
    expect(id).toMatch(/^run_[0-9a-f]{12}$/);
    expect((await home.run(['wait', id])).code).toBe(4);
    const { runs } = await home.json(['list', '--task', 'ci']);
    expect(runs).toMatchObject([
      {
        id,
        label: 'job',
        task: 'ci',
        status: 'exited',
        exit: { code: 4, signal: null, provenance: 'recorded' },
      },
    ]);
    expect((await home.json(['list', '--task', 'other'])).runs).toEqual([]);
    const polled = await home.json(['poll', id.slice(4, 10), '--reader', 'another']);
    expect(polled).toMatchObject({ id, status: 'exited', output: 'hello\n', exit: { code: 4 } });
    expect(await home.json(['poll', id, '--reader', 'another'])).toMatchObject({ output: '' });
    expect(await home.json(['log', id])).toMatchObject({
      id,
      status: 'exited',
      lines: ['hello'],
      totalLines: 1,
    });
    expect((await home.run(['ps'])).stdout).toMatch(/ID +LABEL.+\n\w+ +job +exit 4 .* hello\n/);
  });

  it('arguments reach the program unchanged, a line goes to the shell', async () => {
    const { home } = background;
    const words = await home.start('--', 'printf', '[%s]', 'a b', '$HOME', '*', '');
    expect((await home.run(['log', '-f', words])).stdout).toBe('[a b][$HOME][*][]');
    const line = await home.start('--shell', 'echo a && echo $((40 + 2))');
    expect((await home.run(['log', '-f', line])).stdout).toContain('a\n42\n');
  });

  it('it gets our directory and environment, what is added, and not what is denied', async () => {
    const { home } = background;
    process.env.UNSTUCK_E2E_SECRET = 'x';
    try {
      const script = 'pwd; echo "$ADDED" "$UNSTUCK_E2E_SECRET."';
      const options = ['--cwd', '/', '--env', 'ADDED=a=b', '--env-deny', 'UNSTUCK_E2E_*'];
      const id = await home.start(...options, '--', 'sh', '-c', script);
      expect((await home.run(['log', '-f', id])).stdout).toBe('/\na=b .\n');
    } finally {
      delete process.env.UNSTUCK_E2E_SECRET;
    }
  });

  it('the command gets the umask of its caller, not that of the daemon', async () => {
    const { home } = background;
    await home.start('--', 'true');
    const script = 'umask 0057; exec "$@"';
    const words = ['start', '--wait', '20s', '--', 'sh', '-c', 'umask'];
    const id = execFileSync('sh', ['-c', script, 'sh', process.execPath, cliPath, ...words], {
      env: { ...process.env, UNSTUCK_HOME: home.path },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Until it ends: that may take longer.
    expect((await home.run(['log', '-f', id.toString().trim()])).stdout).toBe('0057\n');
  });

  it('an error has a hint and an exit code', async () => {
    const { home } = background;
    const unknown = await home.run(['poll', 'ffff']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^unstuck: .*ffff.*\nhint: .*unstuck .*\n$/);
    expect((await home.json(['poll', 'ffff'])).error).toMatchObject({ code: 'no-such-run' });
    expect((await home.run(['start', '--', 'unstuck-no-such-program'])).code).toBe(127);
    expect((await home.run(['start', '--timeout', 'soon', '--', 'true'])).stderr).toContain(
      '--timeout is "soon"',
    );
  });
});

describe('waiting and following', () => {
  it('--follow gives every byte until the run ends', async () => {
    const { home } = background;
    const script = 'for i in 1 2 3 4 5; do head -c 100000 /dev/urandom; sleep 0.05; done; printf "no end"';
    const id = await home.start('--', 'sh', '-c', script);
    const follow = home.open(['log', '-f', id]);
    expect(await follow.done).toBe(0);
    expect(follow.bytes.length).toBe(500_006);
    const directory = `${home.path}/runs/${id}`;
    const { logs } = JSON.parse(readFileSync(`${directory}/run.json`, 'utf8'));
    const log = readFileSync(`${directory}/${logs[0].file}`);
    expect(follow.bytes.equals(log.subarray(logs[0].start))).toBe(true);
  });

  it('Ctrl-C ends following and waiting, and the run goes on', async () => {
    const { home } = background;
    const id = await home.start('--', 'sh', '-c', 'echo ready; exec sleep 1000');
    const follow = home.open(['log', '-f', id]);
    const wait = home.open(['wait', id]);
    await follow.until('ready');
    follow.child.kill('SIGINT');
    expect(await follow.done).toBe(130);
    // It listens for the signal before it asks the daemon; three sockets are its stdin, stdout and stderr.
    await wait.until(() => openSockets(wait.child.pid ?? -1) > 3);
    wait.child.kill('SIGINT');
    expect(await wait.done).toBe(130);
    expect(wait.stderr).toContain('the run goes on');
    expect(await home.json(['poll', id])).toMatchObject({ status: 'running' });
  });

  it('a wait ends with what was asked for, or its time', async () => {
    const { home } = background;
    const script = 'echo starting; sleep 0.2; echo ready in 7 ms; exec sleep 1000';
    const id = await home.start('--', 'sh', '-c', script);
    const match = await home.run(['wait', id, '--match', '/ready in \\d+/']);
    expect(match).toMatchObject({ code: 0, stderr: expect.stringContaining('printed: ready in 7 ms') });
    expect((await home.run(['wait', id, '--quiet', '300ms'])).code).toBe(0);
    expect((await home.run(['wait', id, '--until', 'exit', '--timeout', '300ms'])).code).toBe(124);
  });
});

describe('input', () => {
  it('write, submit and close reach the command in order, byte for byte', async () => {
    const { home } = background;
    const id = await home.start('--stdin', '--', 'sh', '-c', 'read -r line; echo "<$line>"; exec cat');
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256));
    expect(await home.json(['submit', id, 'hello  there'])).toMatchObject({ id, bytes: 13 });
    expect((await home.run(['write', id], bytes)).stdout).toContain('70000 bytes written');
    expect(await home.json(['close', id])).toMatchObject({ id, closed: true });
    const follow = home.open(['log', '-f', id]);
    await follow.done;
    expect(follow.bytes.equals(Buffer.concat([Buffer.from('<hello  there>\n'), bytes]))).toBe(true);
    expect((await home.run(['write', id, 'x'])).code).toBe(1);
  });

  it('attach to a run with a pipe: lines go in, the end of our input is the end of its own', async () => {
    const { home } = background;
    const id = await home.start('--stdin', '--', 'sh');
    const attach = home.open(['attach', id], 'echo $((40 + 2)); exit 7\n');
    expect(await attach.done).toBe(7);
    expect(attach.stdout).toBe('42\n');
    const none = await home.start('--', 'sleep', '1000');
    expect((await home.run(['attach', none])).stderr).toContain('takes no input');
  });
});

describe('attach to a run with a terminal', () => {
  it('keys, size and screen go through; Ctrl-] detaches, and a second attach works', async () => {
    const { home } = background;
    const id = await home.start('--pty', '--env', 'PS1=>', '--', 'sh');
    const first = home.openOnTerminal(['attach', id], { rows: 21, columns: 77 });
    await first.until('>');
    // The size comes by a way of its own, not with the keys.
    first.type("until stty size | grep '21 7[7]'; do sleep 0.05; done; echo A$((40 + 2))\r");
    await first.until('A42');
    expect(first.stdout).toContain('21 77');
    first.type('\x1d');
    expect(await first.done).toBe(0);
    // What is on a terminal may be read after the end.
    await first.until('detached, the run goes on. To return: unstuck attach');
    const second = home.openOnTerminal(['attach', id]);
    await second.until('A42');
    second.type('\x03');
    await second.until(() => /\^C\s+>/.test(second.stdout));
    second.type('exit 7\r');
    expect(await second.done).toBe(7);
    await second.until('has ended: exit 7');
  });
});

describe('stopping', () => {
  it('kill stops the whole tree and prints how many processes; a second kill is no failure', async () => {
    const { home } = background;
    const id = await home.start('--', 'sh', '-c', 'sleep 1000 & echo $!; wait');
    const follow = home.open(['log', '-f', id]);
    await follow.until('\n');
    const child = Number(follow.stdout);
    expect(isAlive(child)).toBe(true);
    const kill = await home.run(['kill', id]);
    expect(kill).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/killed.*: stopped 2 of 2 processes/),
    });
    expect(isAlive(child)).toBe(false);
    expect(await follow.done).toBe(0);
    expect(await home.json(['kill', id])).toMatchObject({ id, status: 'already-exited' });
  });

  it('by task, and several at once', async () => {
    const { home } = background;
    const [a, b, c] = await Promise.all([
      home.start('--task', 'x', '--', 'sleep', '1000'),
      home.start('--', 'sleep', '1000'),
      home.start('--', 'sleep', '1000'),
    ]);
    const { runs } = await home.json(['kill', '--task', 'x']);
    expect(runs.map(({ id }: { id: string }) => id)).toEqual([a]);
    expect((await home.json(['kill', b, c])).runs).toHaveLength(2);
    expect((await home.json(['list', '--status', 'running'])).runs).toEqual([]);
  });
});

describe('the daemon is killed', () => {
  it('clients that follow or wait do not notice', async () => {
    const { home } = background;
    const script = 'read -r a; echo "one $a"; read -r b; echo "two $b"; exit 5';
    const id = await home.start('--stdin', '--', 'sh', '-c', script);
    const follow = home.open(['log', '-f', id]);
    const wait = home.open(['wait', id, '--until', 'exit']);
    await home.run(['submit', id, 'before']);
    await follow.until('one before\n');
    process.kill(await home.daemonPid(), 'SIGKILL');
    await home.run(['submit', id, 'after']);
    expect(await wait.done).toBe(5);
    expect(await follow.done).toBe(0);
    expect(follow.stdout).toBe('one before\ntwo after\n');
  });
});

describe('looking', () => {
  it('why of a run is about its process', async () => {
    const { home } = background;
    const id = await home.start('--stdin', '--', 'cat');
    const { runs } = await home.json(['list']);
    const answer = await askUntil(
      () => home.json(['why', id]),
      ({ verdict }) => verdict.kind === 'needs-input',
    );
    expect(answer.target.pid).toBe(runs[0].pid);
    expect(answer.verdict.kind).toBe('needs-input');
  });

  it('ps --watch shows what is there until q, and gives the terminal back', async () => {
    const { home } = background;
    await home.start('--label', 'watched', '--', 'sleep', '1000');
    const watch = home.openOnTerminal(['ps', '--watch']);
    await watch.until('watched');
    process.kill(await home.daemonPid(), 'SIGKILL');
    const frames = () => watch.stdout.split('watched').length - 1;
    const before = frames();
    await watch.until(() => frames() > before);
    watch.type('q');
    expect(await watch.done).toBe(0);
    await watch.until(() => /\x1b\[\?7h\x1b\[\?25h\x1b\[\?1049l\s*$/.test(watch.stdout));
  });
});
