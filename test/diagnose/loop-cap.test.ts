import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const day = 24 * 3600 * 1000;

/** An event loop with nothing to wait for, with this timeout. */
function loopWith(ms: number) {
  const name = 'python-asyncio-never';
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  for (const { call } of snapshot.processes.flatMap(({ threads }) => threads))
    if ('at' in call && call.at === 'call' && call.name.startsWith('epoll'))
      call.timeout = { ms, absolute: false };
  return whySnapshot(snapshot).verdict;
}

test('the longest time that an event loop waits at once is no timer, and proves nothing either', () => {
  const { kind, certainty } = loopWith(day);
  expect(kind).toBe('asleep');
  expect(certainty).not.toBe('certain');
});

test.each([day - 1, day + 1, 60_000])('any other timeout of an event loop is a timer: %i ms', (ms) => {
  expect(loopWith(ms).kind).toBe('timer');
});
