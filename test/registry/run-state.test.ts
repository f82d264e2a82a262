import { expect, test } from 'vitest';
import type { Diagnosis } from '../../src/model/run/health.js';
import type { RunEnd } from '../../src/registry/end/run-end.js';
import { stateOf } from '../../src/registry/run-state.js';

const stuck = { health: 'likely-stuck', reason: 'it waits for input' } as Diagnosis;
const known = {
  id: 'run_000000000001',
  diagnosis: stuck,
  elapsedMs: 1000,
  remark: null,
  agent: null,
  outputLost: null,
  unreadable: null,
};

test('a run that has ended has no health: it shows how it ended, not how it was', () => {
  expect(stateOf({ ...known, end: null })).toMatchObject({ status: 'running', health: 'likely-stuck' });
  const exit = { code: 3, signal: null, provenance: 'recorded' };
  const end = { status: 'exited', why: 'ended with exit code 3', exit } as unknown as RunEnd;
  expect(stateOf({ ...known, end })).toMatchObject({
    status: 'exited',
    health: null,
    why: 'ended with exit code 3',
    exit: { code: 3 },
  });
});
