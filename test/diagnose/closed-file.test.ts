import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { isAbsent } from '../../src/model/facts/absence.js';
import type { Snapshot } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

/** A program in recv, whose socket is not among the open files. `moved`: it ran during the snapshot. */
function withoutSocket(moved: boolean | null): Snapshot {
  const text = readFileSync(new URL('recv-silent-server.json', snapshotsDir), 'utf8');
  const snapshot = parseSnapshot(text, 'recorded');
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  const [thread] = process?.threads ?? [];
  if (process === undefined || thread === undefined || isAbsent(process.fds))
    throw new Error('no such facts');
  process.fds = process.fds.filter(({ kind }) => kind !== 'socket');
  thread.moved = moved;
  return snapshot;
}

test('a file that was closed between the two parts of a snapshot: the program goes on', () => {
  expect(whySnapshot(withoutSocket(true)).verdict).toMatchObject({
    kind: 'working',
    reason: expect.stringContaining('closed what it waited for during the snapshot'),
  });
});

test('of a thread that stood still, or may have, the file is unknown', () => {
  for (const moved of [false, null]) expect(whySnapshot(withoutSocket(moved)).verdict.kind).toBe('unknown');
});

test('so it is when not all open files could be read', () => {
  const snapshot = withoutSocket(true);
  snapshot.absent.push({ source: 'fd', pid: snapshot.targetPid, reason: 'limit' });
  expect(whySnapshot(snapshot).verdict.kind).toBe('unknown');
});
