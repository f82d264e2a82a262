import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { View } from '../../src/diagnose/graph/view.js';
import { judge } from '../../src/diagnose/judge.js';
import { findParts } from '../../src/diagnose/parts.js';
import { isAbsent } from '../../src/model/facts/absence.js';
import type { ProcessFacts, Snapshot } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const count = 50;

afterEach(() => {
  vi.restoreAllMocks();
});

function copy(process: ProcessFacts, pid: number, parent: number): ProcessFacts {
  const threads = process.threads.slice(0, 1).map((thread) => ({ ...thread, tid: pid, namespaceTid: pid }));
  return { ...process, pid, parent, namespacePids: [pid], threads };
}

/** A process waits for many shells, each of which waits for a child, and all children read from a pipe that all hold. */
function deadlock(): Snapshot {
  const name = 'leaked-pipe-end-knot';
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const [first, reader] = snapshot.processes as [ProcessFacts, ProcessFacts];
  const fds = isAbsent(reader.fds) ? [] : reader.fds;
  const readEnd = fds.find(({ fd }) => fd === 3);
  if (readEnd === undefined) throw new Error('the reader has lost its pipe');
  const held = [...fds, { ...readEnd, fd: 4, read: false, write: true }];
  for (const { call } of first.threads)
    if ('at' in call && call.at === 'call') call.args[0] = '0xffffffffffffffff';
  const pairs = Array.from({ length: count }, (_, index) => [
    copy({ ...first, fds: held }, 10_000 + index, first.pid),
    copy({ ...reader, fds: held }, 20_000 + index, 10_000 + index),
  ]);
  snapshot.processes = [{ ...first, fds: held }, ...pairs.flat()];
  return snapshot;
}

test('all who wait for one pipe share the list of its holders', () => {
  const whole = judge(deadlock());
  expect(whole).toMatchObject({ kind: 'deadlock', cause: { kind: 'knot' } });
  const edges = whole?.exploration.edges ?? [];
  expect(edges).toHaveLength(1 + 2 * count);
  const ofPipe = edges.filter(({ via }) => via === 'pipe').map(({ to }) => to);
  expect(ofPipe).toHaveLength(count);
  expect(new Set(ofPipe).size).toBe(1);
  expect(ofPipe[0]).toHaveLength(1 + 2 * count);
});

test('branches that belong to the deadlock of the whole tree are not judged again', () => {
  const whole = judge(deadlock());
  if (whole === null) throw new Error('not judged');
  const branch = vi.spyOn(View.prototype, 'branch');
  expect(findParts(whole, null)).toEqual([]);
  expect(branch).not.toHaveBeenCalled();
});
