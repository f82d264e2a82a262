import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/model/notice.js';
import { type Speaker, TimedHome } from '../../notices/timed-home.js';
import { until } from '../../support/background-home.js';

const windowMs = 15_000;
const hourMs = 3_600_000;
const needle = { patterns: ['needle'] };

let home: TimedHome;

beforeEach(async () => {
  home = await new TimedHome().open();
});

afterEach(() => home.end());

const untilTold = (count: number) =>
  until(async () => (await home.told()).length >= count, `${count} notices`);

const untilHeld = (speaker: Speaker, count: number) =>
  until(() => speaker.held === count, `${count} matches are held`);

/** One more match than can be told in the window that is open. */
async function dropOne(speaker: Speaker): Promise<void> {
  speaker.say('needle too soon');
  await untilHeld(speaker, 1);
}

/** A window in which a match had to wait, up to the notice after it. */
async function strike(speaker: Speaker): Promise<void> {
  const { length } = await home.told();
  await dropOne(speaker);
  home.clock.move(windowMs);
  await untilTold(length + 1);
}

describe('notify on exit', () => {
  test('exactly one notice, however late, and not again after a restart', async () => {
    const speaker = await home.speaker({ events: ['exit'] }, 'cat $in; exit 5');
    speaker.say('x'.repeat(3000), 'the last line');
    // Only what has opened the FIFO is told that its other end is closed.
    await until(() => speaker.run.log.view.size() > 3000, 'the output');
    home.clock.move(hourMs);
    expect(await home.told()).toEqual([]);
    speaker.end();
    await untilTold(1);
    const [notice] = await home.told();
    expect(notice).toMatchObject({ kind: 'exit', runId: speaker.run.id, exit: { code: 5 } });
    expect(notice?.at).toBe(new Date(home.clock.nowMs()).toISOString());
    expect(notice?.output).toHaveLength(2000);
    expect(notice?.output.endsWith('the last line\n')).toBe(true);
    await home.reopen();
    home.clock.move(hourMs);
    expect(await home.kinds()).toEqual(['exit']);
  });
});

describe('a run that matches', () => {
  test('a notice per 15 s; matches meanwhile are counted and carried to the next notice', async () => {
    const speaker = await home.speaker(needle);
    speaker.say('no match', 'the first needle');
    await untilTold(1);
    home.clock.move(5000);
    speaker.say(...Array.from({ length: 25 }, (_, index) => `needle ${index}`), 'nothing');
    await untilHeld(speaker, 25);
    home.clock.move(windowMs - 5000 - 1);
    expect(await home.kinds()).toEqual(['match']);
    home.clock.move(1);
    const [first, second] = await home.told();
    expect(first).toMatchObject({ suppressed: 0, output: 'the first needle' });
    expect(second).toMatchObject({ kind: 'match', suppressed: 25 });
    expect(second?.text).toBe(
      '25 lines match, the first one \'needle\' (25 held back since the last notice): "needle 0"',
    );
    expect(second?.output.split('\n')).toEqual(Array.from({ length: 20 }, (_, index) => `needle ${index}`));
    expect(Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')).toBe(windowMs);
  });

  test('a window goes on under the next daemon', async () => {
    const speaker = await home.speaker(needle);
    speaker.say('needle');
    await untilTold(1);
    await dropOne(speaker);
    home.clock.move(windowMs - 1);
    await home.reopen();
    expect(await home.kinds()).toEqual(['match']);
    home.clock.move(20);
    expect(await home.kinds()).toEqual(['match', 'match 1']);
  });

  test('three windows with drops in a row switch the patterns off, once, and the end is reported instead', async () => {
    const speaker = await home.speaker(needle, 'cat $in; exit 5');
    speaker.say('needle');
    await untilTold(1);
    for (let n = 0; n < 3; n++) await strike(speaker);
    const off = ['match', 'match 1', 'match 1', 'patterns-off 1'];
    expect(await home.kinds()).toEqual(off);
    speaker.say('needle after it');
    home.clock.move(hourMs);
    speaker.end();
    await untilTold(5);
    expect(await home.kinds()).toEqual([...off, 'exit']);
    expect((await home.told()).at(-1)?.exit?.code).toBe(5);
  });

  test('a window without drops forgives', async () => {
    const speaker = await home.speaker(needle);
    speaker.say('needle');
    await untilTold(1);
    for (let n = 0; n < 2; n++) await strike(speaker);
    home.clock.move(windowMs);
    speaker.say('needle in time');
    await untilTold(4);
    for (let n = 0; n < 2; n++) await strike(speaker);
    const three = ['match', 'match 1', 'match 1'];
    expect(await home.kinds()).toEqual([...three, ...three]);
  });

  test('all of a million matching lines are counted', async () => {
    const run = await home.start('seq -f "needle %.0f" 1000000', needle);
    await until(() => run.exit !== null, 'its end');
    const count = (notices: Notice[]) =>
      notices.reduce((sum, { text }) => sum + Number(/^(\d+) lines? match/.exec(text)?.[1] ?? 0), 0);
    await until(async () => count(await home.told()) === 1_000_000, 'all are counted');
    expect(await home.told()).toHaveLength(2);
  });
});

describe('after the end', () => {
  test('later output is not searched, and held matches are reported', async () => {
    const other = await home.speaker(needle);
    const speaker = await home.speaker(
      needle,
      '{ read a; echo $a; read b; echo $b; } <$in; cat <$in & exit 0',
    );
    speaker.say('needle');
    await untilTold(1);
    speaker.say('needle too soon');
    await until(() => speaker.run.exit !== null, 'its end');
    await untilTold(2);
    speaker.say('needle after the end');
    const log = () => fs.readFileSync(speaker.run.log.path, 'utf8');
    await until(() => log().includes('needle after the end\n'), 'it is printed');
    // By the time that a later line of another run is told, this one would have been.
    other.say('needle');
    await untilTold(3);
    home.clock.move(hourMs);
    speaker.end();
    await until(() => !speaker.run.isOutputHeld, 'nobody prints any more');
    const runs = (await home.told()).map(({ runId }) => runId);
    expect(runs).toEqual([speaker.run.id, speaker.run.id, other.run.id]);
  });
});

describe('all runs together', () => {
  test('twenty runs trip the breaker exactly once; after 30 s it reports how many were held back', async () => {
    const speakers = await Promise.all(Array.from({ length: 20 }, () => home.speaker(needle)));
    const ending = await home.speaker({ events: ['exit'] });
    // Only what has opened the FIFO is told that its other end is closed.
    ending.say('open');
    await until(() => ending.run.log.view.size() > 0, 'it reads');
    for (const speaker of speakers) speaker.say('needle');
    await untilTold(16);
    const breaker = () => JSON.parse(fs.readFileSync(path.join(home.path, 'breaker.json'), 'utf8'));
    await until(() => breaker().tripped?.suppressed === 5, 'all twenty are counted');
    const tripped = [...Array(15).fill('match'), 'overflow'];
    expect(await home.kinds()).toEqual(tripped);
    home.clock.move(29_999);
    ending.end();
    await untilTold(17);
    // An end is told all the same.
    expect(await home.kinds()).toEqual([...tripped, 'exit']);
    home.clock.move(1);
    expect(await home.kinds()).toEqual([...tripped, 'exit', 'overflow-over 5']);
    expect((await home.told()).at(-1)?.output.split('\n')).toHaveLength(5);
    speakers[0]?.say('needle again');
    await untilTold(19);
    expect((await home.kinds()).slice(17)).toEqual(['overflow-over 5', 'match']);
  });
});

describe('how it is, every so often', () => {
  const everyMs = 300_000;

  test('every 5 m from the start on, also when there is nothing new, and not after the end', async () => {
    const speaker = await home.speaker({ everyS: everyMs / 1000 });
    const log = () => fs.readFileSync(speaker.run.log.path, 'utf8');
    speaker.say('one', 'two');
    await until(() => log().endsWith('two\n'), 'it is printed');
    home.clock.move(everyMs - 1);
    expect(await home.told()).toEqual([]);
    home.clock.move(1);
    await untilTold(1);
    home.clock.move(everyMs);
    await untilTold(2);
    const [first, second] = await home.told();
    expect(first).toMatchObject({ kind: 'progress', output: 'one\ntwo\n', health: 'healthy' });
    expect(first?.text).toMatch(/2 new lines$/);
    expect(second).toMatchObject({ kind: 'progress', output: '' });
    expect(second?.text).toMatch(/nothing new$/);
    speaker.end();
    await until(() => speaker.run.exit !== null, 'its end');
    home.clock.move(hourMs);
    expect(await home.kinds()).toEqual(['progress', 'progress']);
  });
});
