import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import type { ProcessFacts, Snapshot } from '../../../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../../support/record-snapshot.js';

function load(name: string): Snapshot {
  return parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
}

function named(snapshot: Snapshot, name: string): ProcessFacts {
  const found = snapshot.processes.find((process) => process.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

/** The deadlock below a `timeout` that was started `agoMs` ago as `command`. */
function belowTimeout(command: string, agoMs = 10_000) {
  const snapshot = load('limit-of-timeout');
  const limiting = named(snapshot, 'timeout');
  limiting.command = command;
  for (const { threads } of snapshot.processes) for (const thread of threads) thread.offCpuMs = agoMs;
  const [part] = whySnapshot(snapshot).findings;
  return { certainty: part?.certainty, leftMs: part?.limit?.leftMs, reason: part?.reason };
}

test.each([
  ['timeout 30 prog', 20_000],
  ['/usr/bin/timeout 1m prog', 50_000],
  ['timeout -k 5 -s KILL 0.5m prog --depth 3', 20_000],
  ['timeout -k5 --foreground --signal=INT 30s prog', 20_000],
  ['timeout --kill-after 5 -v 30 prog', 20_000],
])('%s: no alarm as long as its limit is near', (command, leftMs) => {
  expect(belowTimeout(command)).toMatchObject({ certainty: 'medium', leftMs });
});

test('a limit that is far away is said, and the part reported', () => {
  const { certainty, reason } = belowTimeout('timeout 2h prog');
  expect(certainty).toBe('high');
  expect(reason).toMatch(/; timeout\(\d+\) goes on by itself in 1 h 59 min, and may stop it$/);
});

test('a limit that is over has not ended the part', () => {
  const { certainty, leftMs } = belowTimeout('timeout 5 prog', 20_000);
  expect({ certainty, leftMs }).toEqual({ certainty: 'certain', leftMs: undefined });
});

test('a limit that cannot be read may be near', () => {
  const { certainty, leftMs, reason } = belowTimeout('timeout $LIMIT prog');
  expect({ certainty, leftMs }).toEqual({ certainty: 'medium', leftMs: null });
  expect(reason).toMatch(/; timeout\(\d+\) goes on by itself when its timer ends, and may stop it$/);
});

test('a process whose timer has ended meanwhile has not stopped the part', () => {
  const snapshot = load('limit-of-node');
  expect(whySnapshot(snapshot).findings[0]).toMatchObject({ certainty: 'medium' });
  for (const thread of named(snapshot, 'node').threads) thread.offCpuMs = 100;
  const [part] = whySnapshot(snapshot).findings;
  expect(part?.certainty).toBe('certain');
  expect(part?.limit).toBeUndefined();
});
