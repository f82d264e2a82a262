import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import { nextParts } from '../../../../src/diagnose/health/parts.js';
import type { ProcessFacts, Snapshot } from '../../../../src/model/facts/snapshot.js';
import type { WhyAnswer } from '../../../../src/model/verdict.js';
import { parseSnapshot } from '../../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../../support/record-snapshot.js';

type Change = (process: ProcessFacts, snapshot: Snapshot) => void;

function answerOf(name: string, change: Change): WhyAnswer {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  if (process === undefined) throw new Error('no target');
  change(process, snapshot);
  return whySnapshot(snapshot);
}

/** An alarm that was set `afterMs` after the start of the process, for `forMs`. */
function alarm({ afterMs, forMs }: { afterMs: number; forMs: number }): Change {
  return (process, snapshot) => {
    const bornMs = process.startTicks * 10;
    for (const thread of process.threads) thread.offCpuMs = 5000;
    const endsMs = bornMs + afterMs + forMs;
    const nowMs = bornMs + 400 + 5000;
    snapshot.alarms = true;
    snapshot.alarmTimers = [{ leftMs: endsMs - nowMs, endsMs, youngerThanMs: null }];
  };
}

const noAlarm: Change = (_, snapshot) => Object.assign(snapshot, { alarms: false, alarmTimers: [] });

describe('a cycle of locks with the main thread of a Python program that handles SIGALRM', () => {
  const name = 'python-alarm-handled';

  test.each<[about: string, change: Change]>([
    ['an alarm of its own is listed', alarm({ afterMs: 100, forMs: 60_000 })],
    ['the alarms cannot be read', (_, snapshot) => Object.assign(snapshot, { alarms: null })],
  ])('goes on when the time is up: %s', (_, change) => {
    const { verdict, findings } = answerOf(name, change);
    expect(verdict).toMatchObject({ kind: 'timer', certainty: 'medium' });
    expect(findings).toEqual([]);
  });

  test.each<[about: string, change: Change]>([
    ['no alarm is listed', noAlarm],
    [
      'the listed alarm was listed before it began',
      (process, snapshot) => {
        alarm({ afterMs: 100, forMs: 60_000 })(process, snapshot);
        for (const one of snapshot.alarmTimers ?? []) one.olderThanMs = 60_000;
      },
    ],
  ])('is stuck: %s', (_, change) => {
    const { verdict, findings } = answerOf(name, change);
    expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
    for (const { certainty } of findings) expect(certainty).toBe('high');
  });

  test('is at most medium, and no alarm, where a listed alarm may be its own', () => {
    const { verdict, findings } = answerOf(name, alarm({ afterMs: 700, forMs: 60_000 }));
    expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'medium' });
    for (const { certainty } of findings) expect(certainty).toBe('medium');
    expect(nextParts([], { findings, living: new Set(), canAnswer: false }, true)).toEqual([]);
  });

  test('is stuck in a program whose handlers return to the lock', () => {
    const { verdict } = answerOf(name, (process, snapshot) => {
      alarm({ afterMs: 100, forMs: 60_000 })(process, snapshot);
      process.runtime = null;
    });
    expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test('stays a finding where the main thread only waits for it', () => {
    const { verdict, findings } = answerOf(name, (process, snapshot) => {
      alarm({ afterMs: 100, forMs: 60_000 })(process, snapshot);
      const [main, other] = process.threads;
      if (main?.monitor === undefined || other?.monitor === undefined) throw new Error('no locks');
      const third = { ...other, tid: 999_999, namespaceTid: 999_999, monitor: { ...other.monitor } };
      process.threads.push(third);
      third.monitor.owner = other.tid;
      other.monitor.owner = third.tid;
    });
    expect(verdict).toMatchObject({ kind: 'timer', certainty: 'medium' });
    expect(findings).toMatchObject([{ kind: 'deadlock', certainty: 'high' }]);
  });
});
