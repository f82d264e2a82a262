import { describe, expect, it } from 'vitest';
import { type WaitFlags, waitPlan } from '../../../../src/cli/commands/wait/input.js';
import { joinWaits, wait, waitExitCode, waitLine, waitOut } from '../../../../src/cli/commands/wait/wait.js';
import type { OperationOutput } from '../../../../src/control/operations/table.js';
import { Failure } from '../../../../src/model/failure.js';
import { fakeCall, printed } from '../fake-call.js';

type Waited = OperationOutput<'wait'>;

const waited = (changes: Partial<Waited>): Waited => ({
  id: 'run_7c1e90b2d4f8',
  status: 'exited',
  health: 'healthy',
  why: 'it prints',
  waitedS: 1,
  clamped: false,
  output: '',
  omitted: 0,
  ...changes,
});
const exit = (code: number) => ({ code, signal: null, provenance: 'recorded' as const });

describe('what is typed behind unstuck wait', () => {
  it.each<[string, WaitFlags, object, string[]]>([
    ['nothing', {}, { until: ['exit', 'needs-input', 'stuck'] }, []],
    ['--until', { until: 'stuck, exit' }, { until: ['exit', 'stuck'] }, ['stuck', 'exit']],
    [
      '--match',
      { match: '/x/i' },
      { until: ['exit', 'needs-input', 'stuck', 'match'], match: '/x/i' },
      ['match'],
    ],
    ['--port', { port: true }, { until: ['exit', 'needs-input', 'stuck', 'port'] }, ['port']],
    ['--port 80', { port: '80', until: 'exit' }, { until: ['exit', 'port'], port: 80 }, ['exit', 'port']],
    ['--quiet', { quiet: '1m', until: 'exit' }, { until: ['exit', 'quiet'], quietS: 60 }, ['exit', 'quiet']],
    [
      '--reader',
      { reader: 'ci', plain: true, until: 'exit' },
      { until: ['exit'], reader: 'ci', plain: true },
      ['exit'],
    ],
  ])('%s', (_, flags, input, asked) => {
    const plan = waitPlan('7c1e', flags);
    expect(plan).toEqual({
      input: { id: '7c1e', ...input },
      asked: new Set(asked),
      timeoutMs: Number.POSITIVE_INFINITY,
    });
  });

  it.each<[WaitFlags, RegExp]>([
    [{ until: 'exit,sutck' }, /--until is "exit,sutck", and "sutck" is not one of exit, needs-input, stuck/],
    [{ until: 'match' }, /--until match needs --match/],
    [{ port: '99999' }, /--port is "99999", which is not a whole number from 1 to 65535/],
    [{ quiet: 'x' }, /--quiet is "x", which is not a duration from 50ms to 1d/],
    [{ any: true, all: true }, /--any and --all cannot be combined/],
    [{ timeout: '-1' }, /--timeout is "-1", which is not a duration from 0 to 365d/],
  ])('%j is refused', (flags, message) => {
    expect(() => waitPlan('7c1e', flags)).toThrow(message);
  });
});

describe('a wait of any length', () => {
  const never = new AbortController().signal;

  it('asks again when the operation waited as long as it does', async () => {
    const answers = [
      waited({ status: 'timeout', waitedS: 180, clamped: true, output: 'a' }),
      waited({ exit: exit(3), waitedS: 20, output: 'b' }),
    ];
    const { call, asked } = fakeCall({ wait: answers });
    const output = await waitOut(call, waitPlan('7c1e', {}), never);
    expect(output).toEqual(waited({ exit: exit(3), waitedS: 200, output: 'ab' }));
    expect(asked.map(([, input]) => (input as { timeoutS: number }).timeoutS)).toEqual([180, 180]);
  });

  it('ends with its own limit', async () => {
    const { call, asked } = fakeCall({ wait: waited({ status: 'timeout' }) });
    const output = await waitOut(call, waitPlan('7c1e', { timeout: '0' }), never);
    expect(output.status).toBe('timeout');
    expect(asked).toHaveLength(1);
  });

  it('what came meanwhile stays bounded', () => {
    const long = waited({ output: 'x'.repeat(1500), omitted: 5 });
    const joined = joinWaits(long, waited({ output: 'y'.repeat(1500), omitted: 1 }));
    expect(joined.output).toBe('x'.repeat(1000) + 'y'.repeat(1000));
    expect(joined.omitted).toBe(1006);
  });
});

describe('how unstuck wait ends', () => {
  it.each<[Partial<Waited>, string[], number, string]>([
    [{ exit: exit(0) }, [], 0, '7c1e has ended: exit 0'],
    [{ exit: exit(7) }, ['match'], 7, '7c1e has ended: exit 7'],
    [{ exit: { code: null, signal: null, provenance: 'unknown' } }, [], 125, '7c1e has ended: exit unknown'],
    [{ status: 'lost' }, [], 125, '7c1e is lost: its end was not recorded'],
    [{ status: 'timeout', waitedS: 600 }, [], 124, '7c1e is still running after 10 min, healthy: it prints'],
    [{ status: 'match', line: 'ready\x1b' }, ['match'], 0, '7c1e printed: ready\\x1b'],
    [{ status: 'port', port: 80 }, ['port'], 0, '7c1e listens on port 80'],
    [{ status: 'quiet', why: 'no output for 10 s' }, ['quiet'], 0, '7c1e has gone quiet: no output for 10 s'],
    [
      { status: 'needs-input', why: 'git asks' },
      [],
      121,
      '7c1e needs input: git asks\nnext: unstuck submit 7c1e ANSWER, or unstuck attach 7c1e',
    ],
    [
      { status: 'stuck', health: 'confirmed-stuck', why: 'a deadlock' },
      ['stuck'],
      0,
      '7c1e appears stuck (confirmed-stuck): a deadlock\nnext: unstuck why 7c1e',
    ],
  ])('%j after asking for %j', (changes, asked, code, line) => {
    expect(waitExitCode(waited(changes), new Set(asked))).toBe(code);
    expect(waitLine(waited(changes))).toBe(line);
  });

  it('output on stdout, what ended the wait on stderr, the exit code of the run', async () => {
    const { call } = fakeCall({ wait: waited({ exit: exit(2), output: 'last words', omitted: 9 }) });
    const result = await printed(() => wait(call, '7c1e', {}));
    expect(result).toEqual({
      stdout: 'last words\n',
      stderr: '9 characters omitted in the middle; see: unstuck log 7c1e\n7c1e has ended: exit 2\n',
      code: 2,
    });
  });

  it('--json is the output of the operation', async () => {
    const output = waited({ exit: exit(0) });
    const { call } = fakeCall({ wait: output });
    const { stdout, stderr } = await printed(() => wait(call, '7c1e', { json: true }));
    expect(JSON.parse(stdout)).toEqual({ version: 1, ...output });
    expect(stderr).toBe('');
  });

  it('what the daemon refuses is thrown as it is', async () => {
    const failure = new Failure('no-such-run', 'no run 7c1e', 'see unstuck ps');
    const { call } = fakeCall({ wait: failure });
    await expect(printed(() => wait(call, '7c1e', {}))).rejects.toBe(failure);
  });
});
