import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import type { Snapshot } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const load = (name: string) =>
  parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);

function sleepForEver({ processes }: Snapshot): void {
  for (const { call } of processes.flatMap(({ threads }) => threads)) {
    if ('at' in call && call.at === 'call' && call.timeout !== undefined)
      call.timeout = { ms: null, absolute: false };
  }
}

test('beside a sleeping process: the answer is what the rest does, and names the target', () => {
  const { target, chain, verdict } = whySnapshot(load('server-beside-infinity'));
  expect(verdict.kind).toBe('service');
  expect(chain.map(({ waitsFor }) => waitsFor)).toEqual(['nothing, beside', 'connections']);
  expect(chain[0]?.pid).toBe(target.pid);
});

test('a worker that left the tree counts, if it carries the same run', () => {
  const snapshot = load('worker-beside-infinity');
  for (const process of snapshot.processes) {
    process.inTree = process.pid === snapshot.targetPid;
    process.runId = 'run_000000000001';
  }
  expect(whySnapshot(snapshot).verdict.kind).toBe('timer');
  for (const process of snapshot.processes) if (!process.inTree) process.runId = 'run_000000000002';
  expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'asleep', certainty: 'certain' });
});

test.each(['fifo-late-partner', 'stopped-continued-later'])(
  '%s: another process of the tree may end it, as long as that process goes on',
  (name) => {
    const snapshot = load(name);
    expect(whySnapshot(snapshot).verdict).toMatchObject({ relieved: true });
    // The same with a job that sleeps for ever.
    sleepForEver(snapshot);
    expect(whySnapshot(snapshot).verdict).not.toHaveProperty('relieved');
  },
);

test('beside a stopped child that a process of the tree may continue: what the tree does, and no part', () => {
  const snapshot = load('stopped-child-continued-later');
  const { verdict, findings } = whySnapshot(snapshot);
  expect(verdict.kind).toBe('timer');
  expect(findings).toEqual([]);
  sleepForEver(snapshot);
  expect(whySnapshot(snapshot).verdict.kind).toBe('stopped');
});

test('a prompt is not relieved by a worker beside it, which cannot answer it', () => {
  const { verdict } = whySnapshot(load('worker-beside-prompt'));
  expect(verdict.kind).toBe('needs-input');
  expect(verdict).not.toHaveProperty('relieved');
});

test('a stopped child is not relieved by a parent with a timer that waits for it', () => {
  const snapshot = load('background-tty-read');
  for (const { threads, state } of snapshot.processes) {
    const [first] = threads;
    if (state !== 'T' && first !== undefined && 'at' in first.call && first.call.at === 'call')
      first.call.timeout = { ms: 5000, absolute: true };
  }
  expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'stopped', certainty: 'high' });
  expect(whySnapshot(snapshot).verdict).not.toHaveProperty('relieved');
});

test.each([
  ['sleep-into-cat', 'sleep'],
  ['computing-producer', 'burn'],
  ['popen-feed-sleeps', 'python3'],
])('%s: a writer that hides its files may still write, so its reader is no stuck part', (name, writer) => {
  const snapshot = load(name);
  for (const process of snapshot.processes)
    if (process.inTree && process.name.startsWith(writer)) process.fds = { absent: 'hidden' };
  expect(snapshot.processes.some(({ fds }) => 'absent' in fds)).toBe(true);
  expect(whySnapshot(snapshot).findings).toEqual([]);
});
