import fs from 'node:fs';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../../src/model/facts/snapshot.js';
import { presets, type TreeSample } from '../../../src/model/run/health.js';
import { noNorms } from '../../../src/model/run/norms.js';
import { Vitals } from '../../../src/run/health/vitals.js';

const file = new URL('../../fixtures/snapshots/files-apart.json', import.meta.url);
/** Of a tree that goes on, with a process in it that is stuck. */
const whole: Snapshot = JSON.parse(fs.readFileSync(file, 'utf8'));
const { targetPid } = whole;
const cut: Snapshot = {
  ...whole,
  processes: whole.processes.filter(({ pid }) => pid === targetPid),
  absent: [{ source: 'children', pid: targetPid, reason: 'limit' }],
};
/** The place did not answer. */
const failed = null;

/** The findings after each tick of a tree that prints all the time. A process becomes still at the first tick only. */
async function findingsWith(snapshots: (Snapshot | null)[], isStill: boolean): Promise<number[]> {
  const left = [...snapshots];
  const counts: number[] = [];
  let atMs = performance.now();
  const vitals = new Vitals({
    leader: { bootId: '', pid: targetPid, startTicks: 1 },
    source: {
      pids: whole.processes.map(({ pid }) => pid),
      ran: true,
      get hasNewlyStill() {
        return counts.length === 0;
      },
      isStill: () => isStill,
      tick: () => {
        atMs += 5000;
        return { atMs, cpuPercent: 40, leaderState: 'S', processes: 2, threads: 2, states: {} } as TreeSample;
      },
      skip() {},
      close() {},
    },
    admit: () => {
      const snapshot = left.shift() ?? null;
      return {
        snapshot: snapshot === null ? Promise.reject(new Error('no answer')) : Promise.resolve(snapshot),
        end: () => 1,
      };
    },
    thresholds: presets.production,
    canAnswer: false,
    norms: () => noNorms,
    readsStacks: false,
    startedMs: atMs,
  });
  for (const _ of snapshots) counts.push((await vitals.tick(() => true)).findings.length);
  expect(left).toEqual([]);
  return counts;
}

test('a stuck part is proven by three snapshots that show it', async () => {
  expect(await findingsWith([whole, whole, whole], true)).toEqual([0, 0, 1]);
});

test('snapshots that failed or were cut off prove nothing about a part that stands still, and are taken again', async () => {
  const snapshots = [failed, whole, cut, failed, whole, cut, cut, whole];
  expect(await findingsWith(snapshots, true)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
});

test('a part that has moved is not proven by what was seen before', async () => {
  expect(await findingsWith([whole, whole, cut, whole, whole], false)).toEqual([0, 0, 0, 0, 0]);
});
