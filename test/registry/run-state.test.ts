import { expect, test } from 'vitest';
import type { Diagnosis } from '../../src/model/run/health.js';
import { factsOf } from '../../src/registry/run-state.js';

const stuck = { health: 'likely-stuck', reason: 'it waits for input' } as Diagnosis;
const known = {
  id: 'run_000000000001',
  diagnosis: stuck,
  elapsedMs: 1000,
  remark: null,
  agent: null,
  outputLost: null,
};

test('a run that has ended has no health: it shows how it ended, not how it was', () => {
  expect(factsOf({ ...known, state: { kind: 'running', leader: null, shim: null } })).toMatchObject({
    status: 'running',
    health: 'likely-stuck',
  });
  const exit = { code: 3, signal: null, provenance: 'recorded' } as const;
  const end = { kind: 'ended', exit, leader: null, shim: null, atMs: 0, outputLost: null } as const;
  expect(factsOf({ ...known, state: end })).toMatchObject({
    status: 'exited',
    health: null,
    why: 'ended: exit 3',
    exit: { code: 3 },
  });
});
