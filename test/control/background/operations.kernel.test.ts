import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { askUntil } from '../../support/ask-until.js';
import { BackgroundHome, ownHome, until } from '../../support/background-home.js';
import { compile } from '../../support/compile.js';

/** Looks as often as a test wants to wait. */
const quick = { sample: '50ms', activityWindow: '200ms' };

let home: BackgroundHome;

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(() => home.end());

const sh = (script: string, input = {}, at = home) =>
  at.start(['sh', '-c', script], { options: quick, ...input });

/** What copies the input of a run to this pipe. */
function writerOf(pipe: string): number {
  const holds = (pid: string): boolean => {
    try {
      return fs.readlinkSync(`/proc/${pid}/fd/9`) === pipe;
    } catch {
      return false;
    }
  };
  return Number(fs.readdirSync('/proc').find(holds));
}

async function exitOf(id: string) {
  const { exit } = await home.call('wait', { id, until: ['exit'], timeoutS: 60, reader: 'waiter' });
  return exit;
}

describe('start', () => {
  test('answers with id, pid and status, and any beginning of 4 or more finds it', async () => {
    const run = await sh('sleep 1000', { label: 'nap', task: 'T', owner: 'me', tags: ['a'] });
    expect(run).toMatchObject({ id: expect.stringMatching(/^run_[0-9a-f]{12}$/), status: 'running' });
    // An environment is empty for a moment while the shell becomes another program.
    const environ = () => fs.readFileSync(`/proc/${run.pid}/environ`, 'utf8');
    await until(() => environ().includes(`UNSTUCK_RUN_ID=${run.id}\0`), 'its environment');
    for (const id of [run.id, run.id.slice(4), run.id.slice(0, 10), run.id.slice(4, 9)]) {
      expect((await home.call('poll', { id })).id).toBe(run.id);
    }
    const { runs } = await home.call('list', { task: 'T' });
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      id: run.id,
      label: 'nap',
      command: "sh -c 'sleep 1000'",
      status: 'running',
      pid: run.pid,
      health: 'healthy',
      owner: 'me',
      tags: ['a'],
    });
    expect(await home.call('isActive', { task: 'T' })).toEqual({ active: true, ids: [run.id] });
    expect(await home.call('isActive', { task: 'T', owner: 'other' })).toEqual({ active: false, ids: [] });
    expect(await home.call('isActive', { tag: 'none' })).toEqual({ active: false, ids: [] });
    await expect(home.call('isActive', {})).rejects.toMatchObject({ code: 'bad-input' });
    expect(await home.call('kill', { id: run.id })).toMatchObject({ id: run.id, status: 'killed' });
    expect(await home.call('isActive', { task: 'T' })).toEqual({ active: false, ids: [] });
    expect(await home.call('kill', { id: run.id })).toMatchObject({
      status: 'already-exited',
      receipt: null,
    });
  });

  test('the command has the umask of the request, or else that of the daemon; a wrong umask is refused', async () => {
    const made = async (input: object) => {
      const { id } = await sh('umask; touch made; stat -c %a made; rm made', input);
      await exitOf(id);
      return (await home.call('poll', { id })).output.replaceAll('\r', '');
    };
    for (const input of ['none', 'pipe', 'pty']) {
      expect(await made({ umask: 0o027, input })).toBe('0027\n640\n');
      expect(await made({ umask: 0, input })).toBe('0000\n666\n');
    }
    const daemon = fs.readFileSync(`/proc/${home.daemonPid}/status`, 'utf8');
    expect(await made({})).toContain(/^Umask:\s*(\d+)$/m.exec(daemon)?.[1]);
    for (const umask of [-1, 0o1000, 1.5, '022']) {
      await expect(made({ umask })).rejects.toMatchObject({ code: 'bad-input' });
    }
  });

  test('the command has the environment of its caller without denied variables, which are in no file of the run', async () => {
    const { id } = await sh('echo "$A|$AWS_KEY|$B"', {
      inherit: { PATH: process.env.PATH, A: 'inherited', AWS_KEY: 'secret' },
      env: { B: 'given' },
      envDeny: ['AWS_*'],
    });
    await exitOf(id);
    expect((await home.call('poll', { id })).output).toBe('inherited||given\n');
    // Nothing of an environment is kept.
    for (const name of fs.readdirSync(path.join(home.path, 'runs', id))) {
      const file = path.join(home.path, 'runs', id, name);
      if (fs.statSync(file).isFile()) expect(fs.readFileSync(file, 'utf8')).not.toContain('secret');
    }
  });

  test('a line goes through the login shell', async () => {
    const { id } = await home.start([], { command: 'echo "$((6 * 7))" && exit 3', options: quick });
    expect(await exitOf(id)).toEqual({ code: 3, signal: null, provenance: 'recorded' });
    expect((await home.call('poll', { id })).output).toBe('42\n');
  });

  test('the same request twice starts it once', async () => {
    const marker = path.join(home.path, 'once');
    const input = { command: ['sh', '-c', `echo x >>${marker}; sleep 0.2`], cwd: home.path };
    const answers = await Promise.all(
      [1, 2, 3].map(() => home.call('start', input, { requestId: 'the-same' })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await exitOf(answers[0]?.id ?? '');
    expect(fs.readFileSync(marker, 'utf8')).toBe('x\n');
  });
});

describe('requests that cannot be done fail with a reason', () => {
  test.each([
    ['no command', { command: [] as string[] }, /command/],
    ['an empty command', { command: [''] }, /no command/],
    ['an empty line', { command: '  ' }, /no command/],
    ['a directory that is not there', { cwd: '/nowhere/at/all' }, /no such directory/],
    ['a relative directory', { cwd: 'here' }, /relative/],
    ['a program that is not there', { command: ['no-such-program-here'] }, /no such command/],
    ['an option that is none', { options: { timeuot: '5s' } as object }, /timeuot/],
    ['an empty label', { label: '' }, /label "" is blank/],
    ['a label of blanks', { label: '   ' }, /is blank/],
    ['a NUL byte', { command: ['echo', 'a\0b'] }, /NUL/],
    ['an argument of 3 MB', { command: ['true', 'x'.repeat(3_000_000)] }, /too long|refused/],
  ])('start: %s', async (_name, input, message) => {
    const before = fs.readdirSync(path.join(home.path, 'runs')).length;
    await expect(home.start(['true'], input)).rejects.toThrow(message);
    expect(fs.readdirSync(path.join(home.path, 'runs')).length).toBe(before);
  });

  test('an argument of 10 MB is refused, and the daemon answers on', async () => {
    await expect(home.start(['true', 'x'.repeat(10_000_000)])).rejects.toThrow();
    expect((await home.call('list', {})).unreadable).toEqual([]);
  });

  test('an unknown id, a run without input or terminal, a run that has ended', async () => {
    await expect(home.call('poll', { id: 'run_ffffffffffff' })).rejects.toThrow(/no run/);
    await expect(home.call('poll', { id: '../..' })).rejects.toThrow(/no run/);
    await expect(home.call('poll', { id: 'ab' })).rejects.toThrow(/no run/);
    const none = await sh('sleep 1000');
    await expect(home.call('write', { id: none.id, data: 'x' })).rejects.toThrow(/without an input/);
    await expect(home.call('resize', { id: none.id, rows: 10, columns: 10 })).rejects.toThrow(/no terminal/);
    await home.call('kill', { id: none.id });
    const ended = await sh('exit 0', { input: 'pipe' });
    await exitOf(ended.id);
    await expect(home.call('submit', { id: ended.id, data: 'x' })).rejects.toThrow(/has ended/);
  });

  test('an unknown field, and a field of the wrong type', async () => {
    const bad = { id: 'abcd', linit: 3 } as never;
    await expect(home.call('log', bad)).rejects.toThrow(/linit/);
    await expect(home.call('log', { id: 'abcd', limit: 'x' as never })).rejects.toThrow(/limit/);
  });
});

describe('output', () => {
  test('each reader is given what is new to it, head and tail of what is too much', async () => {
    const { id } = await sh('seq 3; sleep 1000', { input: 'none' });
    await until(async () => (await home.call('poll', { id, reader: 'a' })).output !== '', 'first output');
    expect((await home.call('poll', { id, reader: 'a' })).output).toBe('');
    expect((await home.call('poll', { id, reader: 'b' })).output).toBe('1\n2\n3\n');
    await home.call('kill', { id, graceS: 0 });
    const long = await sh('seq 10000');
    await exitOf(long.id);
    const { output, omitted, status, exit } = await home.call('poll', { id: long.id, limit: 1000 });
    expect({ status, exit }).toEqual({
      status: 'exited',
      exit: { code: 0, signal: null, provenance: 'recorded' },
    });
    expect(output.startsWith('1\n2\n')).toBe(true);
    expect(output.endsWith('10000\n')).toBe(true);
    expect(omitted).toBeGreaterThan(40_000);
    expect(output.length).toBeLessThan(1100);
  });

  test('log: the last 200 lines, or the lines that are requested', async () => {
    const { id } = await sh('seq 1000; printf "\\033[31mred\\033[0m 50%%\\rred 100%%\\n"');
    await exitOf(id);
    const last = await home.call('log', { id });
    expect(last).toMatchObject({ id, status: 'exited', totalLines: 1001, offset: 801 });
    expect(last.lines).toHaveLength(200);
    expect(last.lines[0]).toBe('802');
    expect((await home.call('log', { id, offset: 9, limit: 2 })).lines).toEqual(['10', '11']);
    expect((await home.call('log', { id, limit: 1, plain: true })).lines).toEqual(['red 100%']);
  });
});

describe('write, submit, close', () => {
  test('what is written arrives in order, then a real end of file', async () => {
    const { id } = await sh('cat; echo end', { input: 'pipe' });
    expect(await home.call('write', { id, data: 'one ', timeoutS: 60 })).toMatchObject({
      bytes: 4,
      delivered: true,
      pending: 0,
    });
    await home.call('submit', { id, data: 'two' });
    await home.call('write', {
      id,
      data: Buffer.from([0xff, 0x00, 0x0a]).toString('base64'),
      encoding: 'base64',
    });
    expect(await home.call('close', { id })).toEqual({ id, closed: true });
    expect((await exitOf(id))?.code).toBe(0);
    const { log, logStart } = await home.call('inspect', { id });
    expect(fs.readFileSync(log).subarray(logStart).toString('latin1')).toBe('one two\n\xff\0\nend\n');
    await expect(home.call('close', { id })).rejects.toThrow(/ended/);
  });

  test('a full pipe: the wait is bounded, the answer reports it, and nothing is lost', async () => {
    const { id } = await sh('until [ -e go ]; do sleep 0.02; done; wc -c', { input: 'pipe', cwd: home.path });
    const data = 'x'.repeat(1_000_000);
    const answer = await home.call('write', { id, data, timeoutS: 0.1 });
    expect(answer).toMatchObject({ bytes: 1_000_000, delivered: null });
    expect(answer.pending).toBeGreaterThan(800_000);
    await home.call('close', { id });
    fs.writeFileSync(path.join(home.path, 'go'), '');
    await exitOf(id);
    expect((await home.call('poll', { id })).output.trim()).toBe('1000000');
  });

  test('a terminal of its own, 30 x 120, resized, answered', async () => {
    const { id } = await sh('stty size; read x; stty size; echo "got $x"; test -t 0 && test -t 1', {
      input: 'pty',
    });
    expect((await home.call('wait', { id, match: '30 120', timeoutS: 60 })).status).toBe('match');
    await home.call('resize', { id, rows: 40, columns: 100 });
    await home.call('submit', { id, data: 'hello' });
    expect((await exitOf(id))?.code).toBe(0);
    const { lines } = await home.call('log', { id, plain: true });
    expect(lines).toEqual(['30 120', 'hello', '40 100', 'got hello']);
  });
});

describe('wait', () => {
  test('until it ends, with the time waited; a limit that is too long is cut and reported', async () => {
    const { id } = await sh('sleep 0.3; echo bye; exit 7');
    const answer = await home.call('wait', { id, timeoutS: 3600 });
    expect(answer).toMatchObject({ status: 'exited', exit: { code: 7 }, clamped: true, output: 'bye\n' });
  });

  test('a time limit is no failure', async () => {
    const { id } = await sh('sleep 1000');
    const answer = await home.call('wait', { id, timeoutS: 0.2 });
    expect(answer).toMatchObject({ status: 'timeout', clamped: false });
    await home.call('kill', { id });
  });

  test('a text: each match in turn, although both are there already', async () => {
    const { id } = await sh('echo one; echo two; echo three; sleep 1000');
    await until(async () => (await home.call('log', { id })).totalLines === 3, 'three lines');
    expect(await home.call('wait', { id, match: 'one' })).toMatchObject({ status: 'match', line: 'one' });
    expect(await home.call('wait', { id, match: '/^T/i' })).toMatchObject({ line: 'two', output: 'two\n' });
    expect((await home.call('wait', { id, match: 'two', timeoutS: 0.2 })).status).toBe('timeout');
    await home.call('kill', { id });
    expect((await home.call('wait', { id, match: 'never' })).status).toBe('exited');
  });

  test('a port: any port, or a given port', async () => {
    const server = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
    const { id } = await home.start([process.execPath, '-e', server], { options: quick });
    const answer = await home.call('wait', { id, until: ['port'], timeoutS: 60 });
    expect(answer.status).toBe('port');
    // It listens before it prints.
    const { lines } = await askUntil(
      () => home.call('log', { id }),
      (log) => log.totalLines > 0,
    );
    expect(answer.port).toBe(Number(lines[0]));
    const port = Number(lines[0]);
    expect((await home.call('wait', { id, port, timeoutS: 60 })).status).toBe('port');
    await home.call('kill', { id });
  });

  test('quiet', async () => {
    const { id } = await sh('for i in 1 2 3 4; do echo $i; sleep 0.05; done; sleep 1000');
    const { log, logStart } = await home.call('inspect', { id });
    let output = '';
    const next = async () => {
      const answer = await home.call('wait', { id, until: ['quiet'], quietS: 2, timeoutS: 60 });
      expect(answer.status).toBe('quiet');
      output += answer.output;
      const { size, mtimeMs } = fs.statSync(log);
      if (size - logStart === output.length) expect(Date.now() - mtimeMs).toBeGreaterThan(1900);
      return output;
    };
    // On a busy machine it may be quiet for so long between two lines.
    expect(await askUntil(next, (text) => text.endsWith('4\n'))).toBe('1\n2\n3\n4\n');
    await home.call('kill', { id });
  });

  // Each with a daemon of its own: all snapshots of a daemon have a common budget, which earlier tests have used.
  test('it needs input; after an answer the old question is no news', async () => {
    const own = ownHome();
    const script = 'printf "name? "; read a; printf "age? "; read b; echo "$a $b"';
    const { id } = await sh(script, { input: 'pipe' }, own);
    expect(await own.call('wait', { id, timeoutS: 60 })).toMatchObject({
      status: 'needs-input',
      output: 'name? ',
    });
    await own.call('submit', { id, data: 'ada' });
    expect(await own.call('wait', { id, timeoutS: 60 })).toMatchObject({
      status: 'needs-input',
      output: 'age? ',
    });
    await own.call('submit', { id, data: '36' });
    expect(await own.call('wait', { id, timeoutS: 60 })).toMatchObject({
      status: 'exited',
      output: 'ada 36\n',
    });
  });

  test.each(['write', 'close'] as const)(
    'a %s that has not reached it yet is an answer as well',
    async (act) => {
      const own = ownHome();
      const { id, pid } = await sh('printf "name? "; read a; echo got:$a', { input: 'pipe' }, own);
      expect(await own.call('wait', { id, timeoutS: 60 })).toMatchObject({ status: 'needs-input' });
      const pump = writerOf(fs.readlinkSync(`/proc/${pid}/fd/0`));
      process.kill(pump, 'SIGSTOP');
      // A stopped process would outlive a test that fails.
      onTestFinished(() => void (fs.existsSync(`/proc/${pump}`) && process.kill(pump, 'SIGCONT')));
      if (act === 'write') await own.call('write', { id, data: 'ada\n', timeoutS: 0 });
      else await own.call('close', { id });
      expect(await own.call('wait', { id, until: ['needs-input'], timeoutS: 1 })).toMatchObject({
        status: 'timeout',
      });
      process.kill(pump, 'SIGCONT');
      expect(await own.call('wait', { id, timeoutS: 60 })).toMatchObject({ status: 'exited' });
    },
  );

  test('it is stuck', async () => {
    const own = ownHome();
    const { id } = await sh(`exec ${await compile('own-pipe-read')}`, {}, own);
    const answer = await own.call('wait', { id, until: ['stuck'], timeoutS: 60 });
    expect(answer.status).toBe('stuck');
    expect(answer.why).toMatch(/only it could cause/);
    expect(await own.call('kill', { id })).toMatchObject({ status: 'killed' });
  });

  test('a client that stops waiting does not touch the run', async () => {
    const { id } = await sh('sleep 1000');
    const controller = new AbortController();
    const waiting = home.call('wait', { id }, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow();
    expect((await home.call('poll', { id })).status).toBe('running');
    await home.call('kill', { id });
  });
});

describe('limits hold in the background', () => {
  test('a time limit, and a limit for silence', async () => {
    const late = await sh('sleep 1000', { options: { ...quick, timeout: '300ms' } });
    const idle = await sh('echo x; sleep 1000', { options: { ...quick, idleTimeout: '300ms' } });
    expect(await exitOf(late.id)).toMatchObject({ signal: 'SIGTERM', stopped: 'timeout' });
    expect(await exitOf(idle.id)).toMatchObject({ signal: 'SIGTERM', stopped: 'idle-timeout' });
    const report = (id: string) =>
      JSON.parse(fs.readFileSync(path.join(home.path, 'runs', id, 'report.json'), 'utf8'));
    expect(report(late.id)).toMatchObject({ outcome: 'timeout', exitCode: 124 });
    expect(report(idle.id)).toMatchObject({ outcome: 'idle-timeout', exitCode: 121 });
  });
});
