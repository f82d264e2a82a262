import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isHousekeeping } from '../../../src/diagnose/graph/housekeeping.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../support/record-snapshot.js';

test.each([
  ['VM Thread', true],
  ['XWorker#0', true],
  ['ZDirector', true],
  ['X11-poller', false],
  ['Concurrent Upda', false],
])('a thread of Java with the name %s is one of its own: %s', (name, expected) => {
  const { processes } = parseSnapshot(
    readFileSync(new URL('java-naps.json', snapshotsDir), 'utf8'),
    'java-naps',
  );
  const process = processes.find(({ runtime }) => runtime === 'java');
  const thread = process?.threads.at(-1);
  if (process === undefined || thread === undefined) throw new Error('no Java in the snapshot');
  expect(isHousekeeping({ process, thread: { ...thread, name } })).toBe(expected);
});
