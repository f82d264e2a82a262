import { describe, expect, it } from 'vitest';
import { waitForMany } from '../../../../src/cli/commands/wait/wait-many.js';
import { fakeCall, printed } from '../fake-call.js';

const ids = ['run_aaaa00000001', 'run_bbbb00000002'] as const;
const common = { health: 'healthy', why: 'it prints', omitted: 0 };

const result = (index: 0 | 1, status: string, changes: object = {}) => ({
  ...common,
  ...{ id: ids[index], label: index === 0 ? 'lint' : 'test', status, output: '', ...changes },
});
const exited = (index: 0 | 1, code: number, output = '') =>
  result(index, 'exited', { exit: { code, signal: null, provenance: 'recorded' }, output });
const answer = (...results: object[]) => ({ status: 'done', results, waitedS: 1, clamped: false });

describe('unstuck wait A B', () => {
  it('prints a line as each run ends, and ends with the first code that is not 0', async () => {
    const { call, asked } = fakeCall({
      waitMany: [
        answer(result(0, 'timeout', { output: 'one ' }), result(1, 'timeout')),
        answer(result(0, 'running'), exited(1, 0)),
        answer(exited(0, 7, 'two')),
      ],
    });
    const { stdout, stderr, code } = await printed(() => waitForMany(call, ['lint', 'test'], {}));
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'one two\n',
      stderr: 'test (bbbb) has ended: exit 0\nlint (aaaa) has ended: exit 7\n',
      code: 7,
    });
    // A label may mean another run by then.
    expect(asked.map(([, input]) => (input as { ids: string[] }).ids)).toEqual([
      ['lint', 'test'],
      [...ids],
      [ids[0]],
    ]);
  });

  it('--any --json ends with the first, in the order that was typed', async () => {
    const { call } = fakeCall({ waitMany: answer(result(0, 'running'), exited(1, 3)) });
    const { stdout, code } = await printed(() => waitForMany(call, ids, { any: true, json: true }));
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'done',
      results: [
        { id: ids[0], status: 'running' },
        { id: ids[1], status: 'exited', exit: { code: 3 } },
      ],
    });
    expect(code).toBe(3);
  });

  it('--timeout names the runs that go on', async () => {
    const { call } = fakeCall({
      waitMany: [answer(exited(0, 0), result(1, 'running')), answer(result(1, 'timeout'))],
    });
    const { stderr, code } = await printed(() => waitForMany(call, ids, { timeout: '0s' }));
    expect(code).toBe(124);
    expect(stderr).toContain('test (bbbb) is still running after 1 s, healthy: it prints');
  });

  it('--timeout wins over the code of a run that has failed', async () => {
    const { call } = fakeCall({
      waitMany: [answer(exited(0, 5), result(1, 'running')), answer(result(1, 'timeout'))],
    });
    const { code } = await printed(() => waitForMany(call, ids, { timeout: '0s' }));
    expect(code).toBe(124);
  });

  it('--any and --all exclude each other', async () => {
    await expect(waitForMany(fakeCall({}).call, ids, { any: true, all: true })).rejects.toThrow(
      /--any and --all/,
    );
  });
});
