import { describe, expect, it } from 'vitest';
import { close } from '../../../src/cli/commands/close/close.js';
import { kill } from '../../../src/cli/commands/kill/kill.js';
import { list } from '../../../src/cli/commands/list/list.js';
import { renderList } from '../../../src/cli/commands/list/render.js';
import { log } from '../../../src/cli/commands/log/log.js';
import { poll } from '../../../src/cli/commands/poll/poll.js';
import { ps } from '../../../src/cli/commands/ps/ps.js';
import { submit } from '../../../src/cli/commands/submit/submit.js';
import { write, writeAll, writtenLine } from '../../../src/cli/commands/write/write.js';
import { nextForRun, processOfRun } from '../../../src/cli/shared/process-of-run.js';
import { Failure } from '../../../src/model/failure.js';
import type { Receipt } from '../../../src/model/run/receipt.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { fakeCall, printed } from './fake-call.js';
import { failedRun, sampleRun } from './sample-runs.js';

const id = 'run_7c1e90b2d4f8';
const gone = new Failure('no-such-run', 'no run ffff', 'see unstuck ps');

describe('unstuck list', () => {
  it('separates fields by tabs for a program, with no tab inside a field', () => {
    expect(renderList([sampleRun({ label: 'a\tb' }), failedRun], false)).toEqual([
      `${id}\trunning\t-\thealthy\t40268\t2026-01-02T03:04:05.000Z\ta\\tb\tnpm run dev`,
      'run_04d9a7715bc2\texited\t1\t-\t40268\t2026-01-02T03:04:05.000Z\ttest\tnpm run dev',
    ]);
  });

  it('columns for a person', () => {
    expect(renderList([sampleRun({ pid: null })], true)).toEqual([
      'ID                STATUS   EXIT  HEALTH   PID  STARTED                   LABEL  COMMAND',
      `${id}  running  -     healthy  -    2026-01-02T03:04:05.000Z  api    npm run dev`,
    ]);
  });

  it.each([
    ['list', list],
    ['ps', ps],
  ] as const)('%s --json is the output of the operation, filtered by the daemon', async (_, command) => {
    const output = { runs: [sampleRun()], unreadable: [] };
    const { call, asked } = fakeCall({ list: output });
    const flags = { json: true as const, task: 't', owner: 'o', status: 'running' as const };
    const { stdout } = await printed(() => command(call, flags));
    expect(JSON.parse(stdout)).toEqual({ version: 1, ...output });
    expect(asked).toEqual([['list', { task: 't', owner: 'o', status: 'running' }]]);
  });

  it('--watch without a terminal is refused', async () => {
    const { call } = fakeCall({});
    await expect(ps(call, { watch: true })).rejects.toThrow('--watch needs a terminal');
  });
});

describe('unstuck poll and log', () => {
  const polled = { id, status: 'running', output: 'hello', omitted: 0, health: 'healthy', why: 'it prints' };

  it('poll prints what is new, and how it is', async () => {
    const { call, asked } = fakeCall({ poll: polled });
    const result = await printed(() => poll(call, '7c1e', {}));
    expect(result).toMatchObject({ stdout: 'hello\n', stderr: '7c1e is running, healthy: it prints\n' });
    expect(asked).toEqual([['poll', { id: '7c1e' }]]);
  });

  it('poll of a run that has ended prints how it ended', async () => {
    const exit = { code: 1, signal: null, provenance: 'recorded' };
    const { call, asked } = fakeCall({ poll: { ...polled, status: 'exited', exit, output: '' } });
    const result = await printed(() => poll(call, '7c1e', { reader: 'ci', limit: '50', plain: true }));
    expect(result).toMatchObject({ stdout: '', stderr: '7c1e has ended: exit 1\n' });
    expect(asked).toEqual([['poll', { id: '7c1e', reader: 'ci', limit: 50, plain: true }]]);
  });

  it('a limit that is no number names the option, the value and what would do', async () => {
    const { call } = fakeCall({});
    await expect(poll(call, '7c1e', { limit: 'x' })).rejects.toMatchObject({
      message: '--limit is "x", which is not a whole number from 0 to 1000000',
      hint: 'write it like this: --limit 500',
    });
  });

  it('log prints lines, and on stderr what is left out', async () => {
    const output = { id, status: 'running', lines: ['a', 'b'], offset: 8, totalLines: 10, droppedLines: 3 };
    const { call, asked } = fakeCall({ log: output });
    const result = await printed(() => log(call, ['7c1e'], { offset: '8', limit: '2', plain: true }));
    expect(result.stdout).toBe('a\nb\n');
    expect(result.stderr).toBe(
      'lines 8 to 9 of 10, counted from 0; for all lines: --follow\nthe first 3 lines were dropped for the disk limit\n',
    );
    expect(asked).toEqual([['log', { id: '7c1e', offset: 8, limit: 2, plain: true }]]);
  });

  it.each([{ offset: '1' }, { plain: true as const }, { json: true as const }])(
    '--follow does not go with %j',
    async (flags) => {
      const { call } = fakeCall({});
      await expect(log(call, ['7c1e'], { ...flags, follow: true })).rejects.toThrow(
        /--follow passes every byte on/,
      );
    },
  );
});

describe('unstuck kill', () => {
  const receipt: Receipt = {
    at: '2026-01-02T03:04:05.000Z',
    tookMs: 120,
    rounds: 1,
    whole: true,
    processes: [
      { pid: 1, startTicks: 1, command: 'x', because: ['leader'], signals: ['SIGTERM'], result: 'ended' },
      { pid: 2, startTicks: 1, command: 'y', because: ['group'], signals: ['SIGKILL'], result: 'survived' },
    ],
    survivors: [2],
    ports: [],
  };
  const killed = { id, label: 'api', status: 'killed', receipt: { ...receipt, survivors: [] } };

  it('prints what was stopped', async () => {
    const { call, asked } = fakeCall({ kill: killed });
    const { stdout, code } = await printed(() => kill(call, ['7c1e'], { grace: '500ms' }));
    expect(stdout).toBe('api (7c1e) killed: stopped 1 of 2 processes in 120 ms\n');
    expect(code).toBeUndefined();
    expect(asked).toEqual([['kill', { id: '7c1e', graceS: 0.5 }]]);
  });

  it('what survived is named, and the exit code is 1', async () => {
    const { call } = fakeCall({ kill: { ...killed, receipt } });
    const { stdout, code } = await printed(() => kill(call, ['7c1e'], {}));
    expect(stdout).toBe('api (7c1e) killed: stopped 1 of 2 processes in 120 ms; survived: 2\n');
    expect(code).toBe(1);
  });

  it('a run that had ended already is no failure', async () => {
    const exit = { code: 0, signal: null, provenance: 'recorded' };
    const { call } = fakeCall({ kill: { id, label: 'api', status: 'already-exited', exit, receipt: null } });
    const { stdout, code } = await printed(() => kill(call, ['7c1e'], {}));
    expect(stdout).toBe('api (7c1e) had already ended (exit 0)\n');
    expect(code).toBeUndefined();
  });

  it('an unknown run among several does not keep the others from being stopped', async () => {
    const { call } = fakeCall({ kill: [gone, killed] });
    let stdout = '';
    const failing = printed(async () => {
      try {
        await kill(call, ['ffff', '7c1e', 'ffff'], {});
      } finally {
        stdout = String(
          (process.stdout.write as unknown as { mock: { calls: unknown[][] } }).mock.calls[0]?.[0],
        );
      }
    });
    await expect(failing).rejects.toBe(gone);
    expect(stdout).toMatch(/^api \(7c1e\) killed/);
  });

  it('several runs as JSON are a single object with runs and errors', async () => {
    const { call } = fakeCall({ kill: [gone, killed] });
    const { stdout, code } = await printed(() => kill(call, ['ffff', '7c1e'], { json: true }));
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      runs: [killed],
      errors: [{ code: 'no-such-run', message: 'no run ffff', hint: 'see unstuck ps' }],
    });
    expect(code).toBe(1);
  });

  it.each<[object, object]>([
    [{ all: true }, {}],
    [{ task: 't' }, { task: 't' }],
    [
      { owner: 'o', task: 't' },
      { owner: 'o', task: 't' },
    ],
  ])('%j', async (flags, input) => {
    const { call, asked } = fakeCall({ killAll: { runs: [], errors: [] } });
    const { stderr } = await printed(() => kill(call, [], flags));
    expect(asked).toEqual([['killAll', input]]);
    expect(stderr).toBe('nothing to stop\n');
  });

  it('prints what was stopped before it says what could not be', async () => {
    const runs = [{ id, label: 'web', status: 'killed', receipt: null }];
    const error = (message: string) => ({ id, code: 'no-place', message, hint: 'is it up?' });
    const answer = { killAll: { runs, errors: [error('box does not answer'), error('pod is gone')] } };
    const { stdout, stderr } = await printed(() =>
      expect(kill(fakeCall(answer).call, [], { all: true })).rejects.toThrow('box does not answer'),
    );
    expect(stdout).toMatch(/web.* killed/);
    expect(stderr).toBe('unstuck: pod is gone\n');
  });

  it.each<[string[], object, RegExp]>([
    [[], {}, /no run given/],
    [['7c1e'], { all: true }, /ids cannot be combined with --all/],
    [[], { all: true, task: 't' }, /--all cannot be combined with --task/],
    [['7c1e'], { grace: '2x' }, /--grace is "2x", which is not a duration from 0 to 1h/],
  ])('%j %j is refused, and nothing is stopped', async (ids, flags, message) => {
    const { call, asked } = fakeCall({});
    await expect(kill(call, ids, flags)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });
});

describe('unstuck write, submit, close', () => {
  const written = { id, bytes: 3, delivered: true, pending: 0 };

  it('write sends exactly the bytes of the text', async () => {
    const { call, asked } = fakeCall({ write: written });
    const { stdout } = await printed(() => write(call, '7c1e', 'é\n', {}));
    expect(asked).toEqual([['write', { id: '7c1e', data: 'w6kK', encoding: 'base64' }]]);
    expect(stdout).toBe('3 bytes written to 7c1e\n');
  });

  it('what is piped in goes in order, in pieces, and any byte survives', async () => {
    const bytes = Buffer.alloc(2_500_000, Buffer.from([0, 255, 128, 10]));
    async function* pieces() {
      yield bytes.subarray(0, 2_000_000);
      yield bytes.subarray(2_000_000);
    }
    const { call, asked } = fakeCall({ write: { id, bytes: 5, delivered: null, pending: 5_000_000 } });
    const output = await writeAll(call, '7c1e', pieces());
    const sent = asked.map(([, input]) => input as { data: string; timeoutS?: number });
    expect(Buffer.concat(sent.map(({ data }) => Buffer.from(data, 'base64'))).equals(bytes)).toBe(true);
    expect(output).toEqual({ id, bytes: 15, delivered: null, pending: 5_000_000 });
    // With so much waiting, the command is given time before more is sent.
    expect(sent.map(({ timeoutS }) => timeoutS)).toEqual([undefined, 60, 60]);
  });

  it('prints how much the command has not read', () => {
    expect(writtenLine({ id, bytes: 1, delivered: null, pending: 70 })).toBe(
      '1 byte written to 7c1e; not all is read yet: 70 bytes are kept for it',
    );
  });

  it('submit and close', async () => {
    const { call, asked } = fakeCall({ submit: written, close: { id, closed: false } });
    await printed(() => submit(call, '7c1e', 'yes', {}));
    await printed(() => submit(call, '7c1e', undefined, {}));
    const { stdout } = await printed(() => close(call, '7c1e', {}));
    expect(stdout).toBe('the input of 7c1e was already closed\n');
    expect(asked).toEqual([
      ['submit', { id: '7c1e', data: 'yes' }],
      ['submit', { id: '7c1e' }],
      ['close', { id: '7c1e' }],
    ]);
  });
});

describe('unstuck why of a run', () => {
  it('is about its process as long as it runs', async () => {
    const { call } = fakeCall({
      inspect: { id, input: 'stdin' },
      list: { runs: [sampleRun()], unreadable: [] },
    });
    expect(await processOfRun(call, '7c1e')).toEqual({ pid: 40268, name: '7c1e', takesInput: true });
  });

  it('is refused when the run has ended: its pid may have been reused', async () => {
    const { call } = fakeCall({ inspect: { id: failedRun.id }, list: { runs: [failedRun], unreadable: [] } });
    await expect(processOfRun(call, '04d9')).rejects.toMatchObject({
      code: 'run-ended',
      message: '04d9 is not running: exit 1',
      hint: 'see its output: unstuck log 04d9',
    });
  });

  const verdict: Verdict = {
    kind: 'needs-input',
    certainty: 'certain',
    pid: 40269,
    command: 'git',
    reason: 'git waits for input on its standard input',
    evidence: [],
    next: ['give it input, or close its standard input: start it with </dev/null', 'stop it: kill 40269'],
  };
  const run = { pid: 40268, name: '7c1e', takesInput: true };

  it('what to type next are the commands for runs, which know what else belongs to it', () => {
    expect(nextForRun(verdict, run)).toEqual([
      'answer it: unstuck submit 7c1e ANSWER, or unstuck attach 7c1e',
      'stop it: unstuck kill 7c1e',
    ]);
    const next = ['see the stacks: gdb -p 40269', 'stop it, it cannot go on: kill 40269'];
    expect(nextForRun({ ...verdict, kind: 'deadlock', next }, run)).toEqual([
      'see the stacks: gdb -p 40269',
      'stop it, it cannot go on: unstuck kill 7c1e',
    ]);
  });

  it('a password is no word of a command, and what takes no input is not answered', () => {
    const password = { ...verdict, reason: 'ssh waits for a password' };
    expect(nextForRun(password, run)[0]).toBe('answer it: unstuck attach 7c1e');
    expect(nextForRun(verdict, { ...run, takesInput: false })).toEqual([
      verdict.next[0],
      'stop it: unstuck kill 7c1e',
    ]);
  });
});
