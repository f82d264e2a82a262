import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const load = (name: string) =>
  parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);

test('A4 G2 beside who merely sleeps: the answer is what the rest does, and says who was asked about', () => {
  const { target, chain, verdict } = whySnapshot(load('server-beside-infinity'));
  expect(verdict.kind).toBe('service');
  expect(chain.map(({ waitsFor }) => waitsFor)).toEqual(['nothing, beside', 'connections']);
  expect(chain[0]?.pid).toBe(target.pid);
});

test('A4 a worker that left the tree counts, if it carries the same run', () => {
  const snapshot = load('worker-beside-infinity');
  for (const process of snapshot.processes) {
    process.inTree = process.pid === snapshot.targetPid;
    process.runId = 'run_000000000001';
  }
  expect(whySnapshot(snapshot).verdict.kind).toBe('timer');
  for (const process of snapshot.processes) if (!process.inTree) process.runId = 'run_000000000002';
  expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'asleep', certainty: 'certain' });
});
