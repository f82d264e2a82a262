import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import type { ThreadFacts } from '../../src/model/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

function verdictWith(change: Partial<ThreadFacts>) {
  const name = 'stopped-by-sigstop';
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  for (const process of snapshot.processes.filter(({ inTree }) => inTree))
    for (const thread of process.threads.filter(({ laterState }) => laterState === 'T'))
      Object.assign(thread, change);
  return whySnapshot(snapshot).verdict;
}

test('A4 G3 stopped is what stood so in both collects', () => {
  expect(verdictWith({})).toMatchObject({ kind: 'stopped', certainty: 'certain' });
});

test.each<[string, Partial<ThreadFacts>]>([
  ['only at the second, as what is traced is for an instant', { state: 'S' }],
  ['at both, and ran in between', { moved: true }],
])('A4 G3 never certain: stopped %s', (_name, change) => {
  expect(verdictWith(change).kind).not.toBe('stopped');
});
