import { setImmediate as letOthersRun } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WatchNotice } from '../../src/diagnose/notices/limits.js';
import type { NoticeDesk } from '../../src/notices/notice-desk.js';
import { RunNotifier } from '../../src/registry/notify/run-notifier.js';
import { until } from '../support/background-home.js';
import { patienceMs } from '../support/patience.js';
import { type Speaker, TimedHome } from './timed-home.js';

const windowMs = 15_000;
const retryMs = 1000;
const wishes = { events: [], patterns: ['needle'], everyMs: 0, command: null, webhook: null };

/** Keeps notices, as long as there is room on its disk. */
class FullDesk {
  isFull = false;
  refused = 0;
  readonly told: string[] = [];

  report(_: unknown, { kind, text }: WatchNotice): void {
    if (!this.isFull) this.told.push(`${kind}: ${text.replace(/.*: /, '')}`);
    else {
      this.refused += 1;
      throw new Error('no space left on device');
    }
  }
}

let home: TimedHome;
let desk: FullDesk;
let speaker: Speaker;
let notifier: RunNotifier;

beforeEach(async () => {
  home = await new TimedHome().open();
  desk = new FullDesk();
  speaker = await home.speaker(null);
  notifier = new RunNotifier(speaker.run, wishes, desk as unknown as NoticeDesk, home.clock);
});

afterEach(async () => {
  notifier.close();
  await home.end();
});

const untilTold = (...told: string[]) => expect.poll(() => desk.told, { timeout: patienceMs }).toEqual(told);

describe('a notice that cannot be kept', () => {
  test('is tried again once the disk has room, and not before its time', async () => {
    desk.isFull = true;
    speaker.say('needle 1');
    await until(() => desk.refused > 0, 'it is refused');
    for (let turn = 0; turn < 1000; turn += 1) await letOthersRun();
    expect(desk.refused).toBe(1);
    home.clock.move(retryMs);
    await until(() => desk.refused === 2, 'it is refused again');
    desk.isFull = false;
    home.clock.move(retryMs);
    await untilTold('match: "needle 1"');
  });

  test('and was held back until its window ended is reported as well', async () => {
    speaker.say('needle 1');
    await untilTold('match: "needle 1"');
    speaker.say('needle 2');
    await until(() => speaker.held === 1, 'it is held back');
    desk.isFull = true;
    home.clock.move(windowMs);
    expect(desk.refused).toBe(1);
    desk.isFull = false;
    // Nothing else happens to the run.
    home.clock.move(2 * retryMs);
    await untilTold('match: "needle 1"', 'match: "needle 2"');
  });

  test('comes before the end of its run', async () => {
    desk.isFull = true;
    speaker.say('needle 1');
    await until(() => desk.refused > 0, 'it is refused');
    speaker.end();
    await until(() => speaker.run.exit !== null, 'its end');
    desk.isFull = false;
    home.clock.move(retryMs);
    await untilTold('match: "needle 1"');
  });
});
