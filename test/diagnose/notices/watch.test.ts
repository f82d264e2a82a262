import { describe, expect, test } from 'vitest';
import { advanceWatch, type WatchEvent, wakeInMs } from '../../../src/diagnose/notices/advance-watch.js';
import { watchLimits } from '../../../src/diagnose/notices/limits.js';
import { settleWishes } from '../../../src/diagnose/notices/pattern.js';
import { readWatchState, startWatch } from '../../../src/diagnose/notices/watch-state.js';
import type { NoticeEvent, NoticeWishes } from '../../../src/model/notice.js';

/** Seconds of a clock that is right, and what is fed then. */
type Scene = [atS: number, event: { kind: string } & Record<string, unknown>];

function play(scenes: Scene[], wishes: { events?: NoticeEvent[]; everyMs?: number } = {}) {
  const limits = watchLimits({ events: [], everyMs: 0, ...wishes });
  let state = startWatch;
  const told = scenes.flatMap(([atS, event]) => {
    const step = advanceWatch(state, { ...event, atMs: atS * 1000 } as WatchEvent, limits);
    state = step.state;
    return step.notices.map((notice) => ({ atS, ...notice }));
  });
  return { told, state };
}

const match = (end: number, line = `line ${end}`, count = 1) => ({
  kind: 'matches',
  searchedTo: end,
  count,
  first: { pattern: 'ERR', line, end },
  lines: [line],
});
const tick = { kind: 'tick' };
const exit = (code: number, output = 'last words\n') => ({
  kind: 'exit',
  exit: { code, signal: null, provenance: 'recorded' },
  output,
  outputLost: null,
});
const health = (...troubles: string[]) => ({
  kind: 'health',
  health: 'likely-stuck',
  troubles: troubles.map((trouble) => ({ trouble, reason: 'vi waits for a key' })),
  output: 'Name? ',
});
const progress = (elapsedMs: number, lines: number) => ({
  kind: 'progress',
  health: 'healthy',
  elapsedMs,
  lines,
  output: 'step 2\n',
});

describe('matches', () => {
  test('the first match is reported at once, the next when the window is over, with their count', () => {
    const { told } = play([
      [0, match(10)],
      [1, match(20)],
      [14.9, match(30)],
      [15, tick],
      [16, tick],
    ]);
    expect(told).toEqual([
      {
        atS: 0,
        key: 'match:10',
        kind: 'match',
        text: '1 line matches \'ERR\': "line 10"',
        output: 'line 10',
        suppressed: 0,
        matches: 1,
        pattern: 'ERR',
        offset: 10,
      },
      {
        atS: 15,
        key: 'match:20',
        kind: 'match',
        text: '2 lines match, the first one \'ERR\' (2 held back since the last notice): "line 20"',
        output: 'line 20\nline 30',
        suppressed: 2,
        matches: 2,
        pattern: 'ERR',
        offset: 20,
      },
    ]);
  });

  test('a match when the window is over is reported with the matches that waited', () => {
    const { told } = play([
      [0, match(10)],
      [1, match(20)],
      [20, match(30)],
    ]);
    expect(told.map(({ atS, suppressed, output }) => [atS, suppressed, output])).toEqual([
      [0, 0, 'line 10'],
      [20, 1, 'line 20\nline 30'],
    ]);
  });

  test('the time until the next notice is known', () => {
    const limits = watchLimits({ events: [], everyMs: 0 });
    const first = play([[0, match(10)]]).state;
    expect(wakeInMs(first, 1000, limits)).toBeNull();
    const { state } = play([
      [0, match(10)],
      [5, match(20)],
    ]);
    expect(wakeInMs(state, 6000, limits)).toBe(9000);
    expect(wakeInMs(state, 60_000, limits)).toBe(0);
    expect(wakeInMs(state, 6000, { ...limits, everyMs: 7000 })).toBe(1000);
    expect(wakeInMs({ ...state, ended: true }, 6000, limits)).toBeNull();
  });

  test('matches that wait when the run ends are reported with its end', () => {
    const scenes: Scene[] = [
      [0, match(10)],
      [1, match(20, 'line 20', 7)],
      [2, exit(1)],
    ];
    expect(play(scenes, { events: ['exit'] }).told.at(-1)).toEqual({
      atS: 2,
      key: 'exit',
      kind: 'exit',
      text: 'ended with exit code 1; before that 7 matches were not reported',
      output: 'last words\n',
      suppressed: 7,
      exit: { code: 1, signal: null, provenance: 'recorded' },
    });
    expect(play(scenes).told.at(-1)).toMatchObject({ atS: 2, key: 'match:20', suppressed: 7 });
  });
});

describe('too many matches', () => {
  const storm = (fromS: number, untilS: number): Scene[] =>
    Array.from({ length: untilS - fromS }, (_, second) => [fromS + second, match((fromS + second + 1) * 10)]);

  test('three windows with drops, and the patterns are off; the end is reported instead', () => {
    const { told } = play([...storm(0, 60), [61, exit(0)]]);
    expect(told.map(({ atS, kind, suppressed }) => [atS, kind, suppressed])).toEqual([
      [0, 'match', 0],
      [15, 'match', 14],
      [30, 'match', 14],
      [45, 'patterns-off', 15],
      [61, 'exit', 0],
    ]);
    expect(told[3]?.text).toBe(
      'the patterns match too often and are off now: 15 matches were not reported; the end of the run will be',
    );
  });

  test('a clean window forgives', () => {
    const { told } = play([...storm(0, 20), [30, tick], [50, tick], ...storm(60, 100)]);
    expect(told.map(({ atS, kind }) => [atS, kind])).toEqual([
      [0, 'match'],
      [15, 'match'],
      [30, 'match'],
      [60, 'match'],
      [75, 'match'],
      [90, 'match'],
    ]);
  });
});

describe('the end', () => {
  test('is reported with the last 2,000 characters', () => {
    const { told } = play([[0, exit(0, `${'x'.repeat(5000)}end`)]], { events: ['exit'] });
    expect([told[0]?.output.length, told[0]?.output.endsWith('xend')]).toEqual([2000, true]);
  });

  test.each([
    [{ code: 137, signal: 'SIGKILL', provenance: 'recorded' }, 'ended by SIGKILL'],
    [{ code: null, signal: null, provenance: 'unknown' }, 'ended, with an unknown exit code'],
  ])('%j', (how, text) => {
    const { told } = play([[0, { kind: 'exit', exit: how, output: '', outputLost: null }]], {
      events: ['exit'],
    });
    expect(told[0]?.text).toBe(text);
  });

  test('of a request for the end and for patterns, the patterns are dropped with a warning', () => {
    const wishes: NoticeWishes = {
      events: ['exit', 'stuck'],
      patterns: ['a'],
      everyMs: 5,
      command: null,
      webhook: null,
    };
    expect(settleWishes(wishes)).toEqual({
      wishes: { ...wishes, patterns: [] },
      warning: "--watch cannot be combined with --notify: 'a' is dropped",
    });
    expect(settleWishes({ ...wishes, patterns: ['a', 'b'] }).warning).toContain('2 are dropped');
    for (const fine of [
      { ...wishes, patterns: [] },
      { ...wishes, events: ['stuck' as const] },
    ]) {
      expect(settleWishes(fine)).toEqual({ wishes: fine, warning: null });
    }
  });
});

describe('how it is', () => {
  test('a question is reported once, and again when there is another', () => {
    const scenes: Scene[] = [
      [0, health('needs-input', 'stuck')],
      [5, health('needs-input')],
      [10, health()],
      [15, health('needs-input')],
    ];
    const { told } = play(scenes, { events: ['needs-input'] });
    expect(told.map(({ atS, key }) => [atS, key])).toEqual([
      [0, 'needs-input:1'],
      [15, 'needs-input:2'],
    ]);
    expect(told[0]).toMatchObject({ text: 'waits for an answer: vi waits for a key', output: 'Name? ' });
  });

  test('progress is reported in a line, also when there is nothing new', () => {
    const scenes: Scene[] = [
      [0, tick],
      [299, progress(299_000, 5)],
      [300, progress(300_000, 12)],
      [300, progress(300_000, 12)],
      [600, progress(600_000, 12)],
    ];
    const { told } = play(scenes, { everyMs: 300_000 });
    expect(told.map(({ key, text, output }) => [key, text, output])).toEqual([
      ['progress:1', 'running for 5 min, healthy, 12 new lines', 'step 2\n'],
      ['progress:2', 'running for 10 min, healthy, nothing new', ''],
    ]);
  });

  test('its number comes from the time, so that no number is repeated after a state was lost', () => {
    const { told } = play(
      [
        [0, tick],
        [60, progress(3_600_000, 1)],
      ],
      { everyMs: 60_000 },
    );
    expect(told[0]?.key).toBe('progress:60');
  });
});

describe('what was saved', () => {
  test('is what is loaded', () => {
    const { state } = play([
      [0, match(10)],
      [1, match(20)],
      [2, health('stuck')],
    ]);
    expect(readWatchState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(state.held.count).toBe(1);
  });

  const { state } = play([
    [0, match(10)],
    [1, match(20)],
  ]);
  test.each([
    ['nothing', null],
    ['a list', []],
    ['another version', { ...state, version: 2 }],
    ['half of it', { version: 1, clock: state.clock }],
    ['a count below zero', { ...state, strikes: -1 }],
    ['a window in the future', { ...state, windowAtMs: 1e12 }],
    ['a clock without a number', { ...state, clock: { wallMs: 'now', nowMs: 0 } }],
    ['no finite time', { ...state, clock: { wallMs: 0, nowMs: Number.POSITIVE_INFINITY } }],
    ['a line that is too long', { ...state, held: { ...state.held, lines: ['x'.repeat(2001)] } }],
    ['too many lines', { ...state, held: { ...state.held, lines: Array(21).fill('x') } }],
    ['a match without its end', { ...state, held: { ...state.held, first: { pattern: 'x' } } }],
    ['no episode', { ...state, episodes: { stuck: { count: 0, open: false } } }],
    ['a flag that is none', { ...state, ended: 0 }],
  ])('%s: a fresh start', (_, value) => {
    expect(readWatchState(value)).toEqual(startWatch);
  });
});
