import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { advanceWatch } from '../../../src/diagnose/notices/advance-watch.js';
import { readWatchState, troubles } from '../../../src/diagnose/notices/watch-state.js';
import { play, someLimits, story, type Told } from './stories.js';

const saved = (value: unknown) => readWatchState(JSON.parse(JSON.stringify(value)));
const kinds = (told: readonly Told[], kind: string) =>
  told.flatMap(({ notices, ...at }) =>
    notices.filter((notice) => notice.kind === kind).map((notice) => ({ ...at, notice })),
  );
/** What a match notice says in words: all lines, those held back included. */
const countIn = (text: string) => Number(/^(\d+) lines? match/.exec(text)?.[1]);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe('whatever happens, and whatever the clock does', () => {
  property.prop([story, someLimits])(
    'matches are reported at most once per window, except at the end',
    (events, limits) => {
      const told = kinds(play(events, limits), 'match').filter(({ event }) => event.kind !== 'exit');
      for (const [index, { nowMs }] of told.slice(1).entries()) {
        expect(nowMs - (told[index]?.nowMs ?? 0)).toBeGreaterThanOrEqual(limits.windowMs);
      }
    },
  );

  property.prop([story, someLimits])('no match is lost, and no match is counted twice', (events, limits) => {
    const told = play(events, limits);
    const live = told.filter(({ before }) => !before.ended && !before.patternsOff);
    const fed = sum(live.map(({ event }) => (event.kind === 'matches' ? event.count : 0)));
    const held = told.at(-1)?.state.held.count ?? 0;
    const direct = live.filter(
      ({ event, notices }) => event.kind === 'matches' && notices.some(({ kind }) => kind === 'match'),
    );
    const toldAtOnce = sum(direct.map(({ event }) => (event.kind === 'matches' ? event.count : 0)));
    const suppressed = sum(told.flatMap(({ notices }) => notices.map((notice) => notice.suppressed)));
    expect(suppressed + held).toBe(fed - toldAtOnce);
    const inWords = sum(kinds(told, 'match').map(({ notice }) => countIn(notice.text)));
    const others = [...kinds(told, 'exit'), ...kinds(told, 'patterns-off')];
    expect(inWords + sum(others.map(({ notice }) => notice.suppressed)) + held).toBe(fed);
  });

  property.prop([story, someLimits])(
    'matches that wait are reported as soon as their window is over',
    (events, limits) => {
      for (const { state, event, nowMs, before } of play(events, limits)) {
        if (event.kind === 'exit' || before.ended) continue;
        if (state.held.count > 0)
          expect(nowMs - (state.windowAtMs ?? -Infinity)).toBeLessThan(limits.windowMs);
      }
    },
  );

  property.prop([story, someLimits])(
    'too many windows in a row with drops switch the patterns off, once',
    (events, limits) => {
      const told = play(events, limits);
      const off = kinds(told, 'patterns-off').filter(({ notice }) => notice.key === 'patterns-off');
      expect(off.length).toBeLessThanOrEqual(1);
      const inTime = kinds(told, 'match').filter(({ event }) => event.kind !== 'exit');
      let strikes = 0;
      for (const { notice } of inTime) {
        strikes = notice.suppressed > 0 ? strikes + 1 : 0;
        expect(strikes).toBeLessThan(limits.strikesMax);
      }
      if (off.length === 1) expect(strikes).toBe(limits.strikesMax - 1);
      const after = told.slice(
        told.findIndex(({ notices }) => notices.some(({ key }) => key === 'patterns-off')) + 1,
      );
      if (off.length === 1) expect(kinds(after, 'match')).toEqual([]);
    },
  );
});

describe('the end', () => {
  property.prop([story, someLimits])(
    'is reported exactly once where requested, and nothing after it',
    (events, limits) => {
      const told = play(events, limits);
      const at = told.findIndex(({ event }) => event.kind === 'exit');
      const { patternsOff, patternLost } = told[at]?.before ?? {};
      const wants = limits.events.includes('exit') || patternsOff === true || patternLost === true;
      expect(kinds(told, 'exit').length).toBe(at !== -1 && wants ? 1 : 0);
      if (at !== -1) expect(told.slice(at + 1).flatMap(({ notices }) => notices)).toEqual([]);
    },
  );
});

describe('progress and trouble', () => {
  property.prop([story, someLimits])(
    'progress is reported when it is due, and no more often than requested',
    (events, limits) => {
      const told = play(events, limits);
      let lastMs = 0;
      for (const { event, before, nowMs, notices } of told) {
        const isReported = notices.some(({ kind }) => kind === 'progress');
        const isDue = limits.everyMs > 0 && nowMs - lastMs >= limits.everyMs;
        expect(isReported).toBe(event.kind === 'progress' && !before.ended && isDue);
        if (isReported) lastMs = nowMs;
      }
    },
  );

  property.prop([story, someLimits])(
    'a trouble is reported once from its beginning to its end',
    (events, limits) => {
      const told = play(events, limits).filter(({ before }) => !before.ended);
      for (const trouble of troubles) {
        const levels = told.flatMap(({ event }) =>
          event.kind === 'health' ? [event.troubles.some((one) => one.trouble === trouble)] : [],
        );
        const begun = levels.filter((now, index) => now && !levels[index - 1]).length;
        expect(kinds(told, trouble).length).toBe(limits.events.includes(trouble) ? begun : 0);
      }
    },
  );
});

describe('a daemon may be killed at any moment', () => {
  property.prop([story, someLimits])('a state that was saved and loaded gives the same', (events, limits) => {
    const told = play(events, limits);
    expect(play(events, limits, saved).map(({ notices }) => notices)).toEqual(
      told.map(({ notices }) => notices),
    );
    for (const { before, event, notices } of told) {
      expect(advanceWatch(saved(before), event, limits).notices).toEqual(notices);
    }
  });

  property.prop([story, someLimits])('no two notices of a run have the same key', (events, limits) => {
    const keys = play(events, limits).flatMap(({ notices }) => notices.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
  });

  property.prop([story, someLimits, fc.nat(20)])(
    'found again together with what came after it, a match has the same key',
    (events, limits, more) => {
      for (const { before, event, notices } of play(events, limits)) {
        if (event.kind !== 'matches' || event.count === 0) continue;
        const later = { ...event, count: event.count + more, searchedTo: event.searchedTo + more };
        const again = advanceWatch(before, later, limits).notices.map(({ key }) => key);
        expect(again).toEqual(notices.map(({ key }) => key));
      }
    },
  );

  property.prop([story, someLimits])('what was saved already is not counted again', (events, limits) => {
    for (const { event, state } of play(events, limits)) {
      if (event.kind !== 'matches') continue;
      expect(advanceWatch(state, event, limits).state.held).toEqual(state.held);
    }
  });
});

property.prop([story, someLimits])('what is shown is bounded', (events, limits) => {
  for (const { output, text, kind } of play(events, limits).flatMap(({ notices }) => notices)) {
    expect(output.length).toBeLessThanOrEqual(2000);
    expect(text.length).toBeLessThan(500);
    expect(text).not.toMatch(/[\n\r\0]/);
    if (kind === 'match') expect(output.split('\n').length).toBeLessThanOrEqual(20);
  }
});
