import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import type { AlarmFacts, Snapshot } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

/** A shell waits for a child that is deadlocked with itself. */
const deadlock = 'dash-wait-deadlock';
/** A shell waits for a child that reads what is never written. */
const prompt = 'cat-chain';

/** The child began at `startMs`, ran for 20 ms and has rested since; the alarm is set for `forMs`, `setMs` after its start. */
function withAlarm(
  name: string,
  {
    setMs = 10,
    forMs = 600_000,
    younger = null,
    older,
  }: { setMs?: number; forMs?: number; younger?: number | null; older?: number } = {},
): Snapshot {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const startMs = 1_000_000;
  const ranMs = 20;
  const restedMs = 5000;
  for (const process of snapshot.processes) {
    process.startTicks = process.pid === snapshot.targetPid ? 0 : startMs / 10;
    for (const thread of process.threads) thread.offCpuMs = restedMs;
  }
  const endsMs = startMs + setMs + forMs;
  const alarm: AlarmFacts = {
    leftMs: endsMs - (startMs + ranMs + restedMs),
    endsMs,
    youngerThanMs: younger,
    olderThanMs: older,
  };
  return { ...snapshot, alarms: true, alarmTimers: [alarm] };
}

test('an alarm that a process below the target may have set ends its wait', () => {
  const { verdict } = whySnapshot(withAlarm(deadlock));
  expect(verdict).toMatchObject({ kind: 'timer', certainty: 'medium' });
  expect(verdict.reason).toMatch(/may have set an alarm that ends it in 9 min 5\d s/);
});

test.each([
  ['at a moment in which it did not run', { setMs: 400 }],
  ['before it was there', { setMs: -300 }],
  ['after it last ran: it was not listed then', { younger: 1000 }],
  ['before it began: it was listed already', { older: 5100 }],
  ['that is further away than a day', { forMs: 100 * 3_600_000 }],
])('an alarm was set %s: it is of another process', (_when, alarm) => {
  expect(whySnapshot(withAlarm(deadlock, alarm)).verdict).toMatchObject({
    kind: 'deadlock',
    certainty: 'high',
  });
});

test('an alarm that was listed after a process began may be its own', () => {
  expect(whySnapshot(withAlarm(deadlock, { older: 5000 })).verdict.kind).toBe('timer');
});

test('an alarm that was not listed in the reading before may be of a process that ran since', () => {
  expect(whySnapshot(withAlarm(deadlock, { younger: 8000 })).verdict.kind).toBe('timer');
});

test('a process that ignores the signal has no alarm that ends it', () => {
  const snapshot = withAlarm(deadlock);
  for (const { signals } of snapshot.processes) if (signals !== null) signals.ignored = '2000';
  expect(whySnapshot(snapshot).verdict.kind).toBe('deadlock');
});

test('what needs input is relieved by an alarm that may end it, and no part is reported', () => {
  const { verdict, findings } = whySnapshot(withAlarm(prompt));
  expect(verdict).toMatchObject({ kind: 'needs-input', relieved: true });
  expect(findings).toEqual([]);
  expect(whySnapshot(withAlarm(prompt, { setMs: 400 })).verdict).not.toHaveProperty('relieved');
});
