import { readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { findLockCycle } from '../../../../src/diagnose/graph/closed/lock-cycles.js';
import { View } from '../../../../src/diagnose/graph/view.js';
import type { Snapshot } from '../../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../../support/record-snapshot.js';

const recorded = readFileSync(new URL('java-deadlock.json', snapshotsDir), 'utf8');
const firstTid = 1_000_000;

/** A program whose threads wait for the locks of others: `owners[n]` owns what thread n waits for, null: it waits for none. */
function waitingFor(owners: readonly (number | null)[]): Snapshot {
  const snapshot = parseSnapshot(recorded, 'java-deadlock');
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  const waiter = process?.threads.find(({ monitor }) => monitor !== undefined);
  if (process === undefined || waiter?.monitor === undefined) throw new Error('the recording has changed');
  const { monitor, ...other } = waiter;
  process.threads = owners.map((owner, at) => ({
    ...other,
    tid: firstTid + at,
    namespaceTid: firstTid + at,
    ...(owner !== null && { monitor: { ...monitor, owner: firstTid + owner } }),
  }));
  return snapshot;
}

const cycleOf = (snapshot: Snapshot) =>
  findLockCycle(View.of(snapshot))?.tasks.map(({ thread }) => thread.tid - firstTid) ?? null;

/** As one would on paper: from each thread on, until a thread comes again. */
function onPaper(owners: readonly (number | null)[]): number[] | null {
  for (const start of owners.keys()) {
    const path: number[] = [];
    for (let at: number | null = start; at !== null; at = owners[at] ?? null) {
      if (path.includes(at)) return path.slice(path.indexOf(at));
      path.push(at);
    }
  }
  return null;
}

const anyOwners = fc
  .integer({ min: 1, max: 12 })
  .chain((count) => fc.array(fc.option(fc.nat(count - 1)), { minLength: count, maxLength: count }));

describe('a cycle of locks', () => {
  test.prop([anyOwners])('is found wherever it is, and only where it is', (owners) => {
    expect(cycleOf(waitingFor(owners))).toEqual(onPaper(owners));
  });

  test('is searched in a chain of ten thousand threads without following it from each of them', () => {
    const count = 10_000;
    const chain = waitingFor(Array.from({ length: count }, (_, at) => (at + 1 < count ? at + 1 : null)));
    const before = process.cpuUsage();
    expect(cycleOf(chain)).toBeNull();
    const { user, system } = process.cpuUsage(before);
    // From each of them it is minutes.
    expect((user + system) / 1000).toBeLessThan(10_000);
  });
});
