import { expect, test } from 'vitest';
import type { BackgroundRun } from '../../src/registry/background-run.js';
import { type Handle, runByHandle } from '../../src/registry/find-runs.js';

interface Sample {
  label?: string;
  status?: string;
  owner?: string | null;
  request?: string;
}

/** Started one after the other. */
function find(samples: Record<string, Sample>, handle: string | Handle) {
  const runs = Object.entries(samples).map(([digits, sample], index) => {
    const { label = 'job', status = 'running', owner = null, request } = sample;
    const knows = (id: string) => id === request;
    return {
      id: `run_${digits}`,
      startedMs: index,
      status,
      record: { label, background: { owner } },
      acts: { knows },
    };
  });
  const byId = new Map(runs.map((run) => [run.id, run as unknown as BackgroundRun]));
  const { run, ambiguous } = runByHandle(byId, [], typeof handle === 'string' ? { id: handle } : handle);
  return { id: run.id.slice(4), ambiguous };
}

const [a, b, c] = ['aaaa00000001', 'bbbb00000002', 'cccc00000003'] as const;

test('a label finds its run like an id', () => {
  const runs = { [a]: { label: 'api' }, [b]: { label: 'web' } };
  for (const handle of ['api', 'aaaa', a, `run_${a}`, 'run_aaaa']) {
    expect(find(runs, handle)).toEqual({ id: a, ambiguous: null });
  }
});

test('of several runs with a label, the newest live one is taken, and that is reported', () => {
  const runs = { [a]: { label: 'api' }, [b]: { label: 'api' }, [c]: { label: 'api', status: 'exited' } };
  expect(find(runs, 'api')).toEqual({
    id: b,
    ambiguous: {
      label: 'api',
      others: [`run_${c}`, `run_${a}`],
      message: `2 other runs have the label api too; this is the newest live one, run_${b}`,
    },
  });
});

test('the only live run is meant, whatever has ended before it', () => {
  const runs = { [a]: { label: 'api', status: 'exited' }, [b]: { label: 'api' } };
  expect(find(runs, 'api')).toEqual({ id: b, ambiguous: null });
});

test('of ended runs, the newest is taken', () => {
  const ended = { label: 'api', status: 'exited' };
  const found = find({ [a]: ended, [b]: ended }, 'api');
  expect(found).toMatchObject({ id: b, ambiguous: { others: [`run_${a}`] } });
  expect(found.ambiguous?.message).toContain('this is the newest one');
});

test('an owner means its own runs or those without an owner', () => {
  const runs = { [a]: { label: 'api', owner: 'me' }, [b]: { label: 'api', owner: 'you' } };
  expect(find(runs, { id: 'api', owner: 'me' })).toEqual({ id: a, ambiguous: null });
  expect(find(runs, { id: 'api', owner: 'other' }).id).toBe(b);
});

test('a repeated request means the run that knows it, although another one is newer or lives', () => {
  const runs = { [a]: { label: 'api' }, [b]: { label: 'api', status: 'exited', request: 'r1' } };
  expect(find(runs, { id: 'api', requestId: 'r1' }).id).toBe(b);
  expect(find(runs, { id: 'api', requestId: 'r2' }).id).toBe(a);
});

test('a text that is a label and the beginning of another id is refused', () => {
  const runs = { [a]: { label: 'bbbb' }, [b]: {} };
  expect(() => find(runs, 'bbbb')).toThrow('bbbb is a label, and the beginning of another id');
  expect(find(runs, 'run_bbbb').id).toBe(b);
  expect(find({ [a]: { label: 'aaaa' } }, 'aaaa').id).toBe(a);
});

test('a text that is neither is refused, and a short one is told how long an id is', () => {
  expect(() => find({ [a]: {} }, 'aa')).toThrow(
    expect.objectContaining({
      code: 'no-such-run',
      hint: 'list the runs: unstuck list; an id needs at least 4 characters',
    }),
  );
  expect(() => find({ [a]: {} }, 'ap')).toThrow(
    expect.objectContaining({ hint: 'list the runs: unstuck list' }),
  );
  expect(() => find({ [a]: {}, aaaa00000009: {} }, 'aaaa')).toThrow('2 runs begin with aaaa');
});
