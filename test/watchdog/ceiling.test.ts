import { expect, it } from 'vitest';
import type { Verdict } from '../../src/model/verdict.js';
import type { WatchdogEvent } from '../../src/model/watchdog.js';
import { describeEvent } from '../../src/run/telemetry/words.js';
import type { Subject } from '../../src/watchdog/subject.js';
import { Sweep } from '../../src/watchdog/sweep.js';
import { Watcher } from '../../src/watchdog/watcher.js';
import { FakeClock } from './fake-clock.js';
import { watcherOptions } from './watcher-options.js';

const ticking: Verdict = {
  kind: 'timer',
  certainty: 'certain',
  pid: 7,
  command: 'node',
  reason: 'node waits for a timer',
  evidence: [],
  next: [],
};

const times = { pollIntervalMs: 10_000, idleTimeoutMs: 180_000, judge: true };

function watched(judge: Subject['judge'], maxIdleMs: number) {
  const clock = new FakeClock();
  const events: WatchdogEvent[] = [];
  const ending = { signal: 'SIGTERM', asked: false, trouble: null, isGone: true, receipt: null } as const;
  const subject: Subject = {
    pid: 7,
    isAlive: () => true,
    judge,
    end: () => ({ done: Promise.resolve(ending), cancel() {} }),
  };
  const options = watcherOptions({ ...times, maxIdleMs, onEvent: (event) => events.push(event) });
  return { clock, events, watcher: new Watcher(subject, options, new Sweep(clock)) };
}

/** In steps, so that the judge can answer in between. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    clock.pass(Math.min(1000, left));
    await new Promise(setImmediate);
  }
}

it('a process that only ticks is spared until the ceiling, and each step is reported', async () => {
  const { clock, events, watcher } = watched(async () => ticking, 400_000);
  await pass(clock, 399_000);
  expect(watcher.state.phase).toBe('watching');
  const held = events.filter(({ kind }) => kind === 'watchdog.held');
  expect(held).toMatchObject([{ idleMs: 180_000, verdict: { kind: 'timer' }, ceilingInMs: 220_000 }]);
  expect(held.map(describeEvent)).toEqual([
    'process 7: no activity for 3 min, but it stays for at most 3 min 40 s more: waiting for a timer, node waits for a timer',
  ]);
  await pass(clock, 1000);
  await expect(watcher.done).rejects.toMatchObject({
    because: 'ceiling',
    idleMs: 400_000,
    verdict: { kind: 'timer' },
    message: expect.stringContaining('no activity for 6 min 40 s, the longest silence that is allowed'),
  });
  expect(events.find(({ kind }) => kind === 'watchdog.timeout')).toMatchObject({ because: 'ceiling' });
});

it('activity begins the ceiling anew', async () => {
  const { clock, watcher } = watched(async () => ticking, 400_000);
  await pass(clock, 399_000);
  watcher.activity();
  await pass(clock, 399_000);
  expect(watcher.state.phase).toBe('watching');
  watcher.stop();
});

it('a judge that never answers does not keep the process alive', async () => {
  const { clock, watcher } = watched(() => new Promise(() => {}), 400_000);
  await pass(clock, 400_000);
  await expect(watcher.done).rejects.toMatchObject({ because: 'ceiling', verdict: null });
});

it('without a ceiling it stays for ever, as it was asked to', async () => {
  const { clock, events, watcher } = watched(async () => ticking, Number.POSITIVE_INFINITY);
  await pass(clock, 4_000_000);
  expect(watcher.state.phase).toBe('watching');
  expect(events.find(({ kind }) => kind === 'watchdog.held')).toMatchObject({ ceilingInMs: null });
  watcher.stop();
});
