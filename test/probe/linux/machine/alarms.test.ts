import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AlarmMemory,
  AlarmReadings,
  alarmsIn,
  listAlarms,
} from '../../../../src/probe/linux/machine/alarms.js';

const head = 'Timer List Version: v0.10\nHRTIMER_MAX_CLOCK_BASES: 8\nnow at 11311000000000 nsecs\n';
const slept =
  ' clock 2:\n  .base:       00000000578f0ad1\n  .index:      2\n  .resolution: 1 nsecs\n  .offset:     5000000000 nsecs\n';
const tick =
  ' #0: <00000000dcbd6989>, tick_nohz_handler, S:01\n # expires at 11311668000000-11311668000000 nsecs [in 1 to 1 nsecs]\n';
const alarm =
  ' #20: <00000000dcbd6980>, it_real_fn, S:01\n # expires at 11411500000000-11411500000000 nsecs [in 1 to 1 nsecs]\n';

const listed = { key: '00000000dcbd6980 11411500000000', leftMs: 100_500, endsMs: 11_411_500 };

test.each([
  ['no process has one', head + tick, []],
  ['some process has one', head + tick + alarm, [listed]],
  [
    'the machine slept: start times count that, timers do not',
    head + slept + tick + alarm,
    [{ ...listed, endsMs: 11_416_500 }],
  ],
  ['a container shows an empty file', '', null],
  [
    'the kernel has no names of its functions',
    `${head} #0: <00000000dcbd6989>, 0xffffffff81234, S:01\n`,
    null,
  ],
  ['it is something else', tick, null],
  [
    'one is listed in a form that cannot be read',
    `${head + tick} #20: <00000000dcbd6980>, it_real_fn, S:01\n`,
    null,
  ],
])('alarms of the machine: %s', (_name, text, alarms) => {
  expect(alarmsIn(text)).toEqual(alarms);
});

test.each([
  ['is missing from a list', [head + tick, head + tick + alarm], [listed]],
  ['is missing from two lists', [head + tick, head + tick, head + tick + alarm], [listed]],
  ['is in every list', [head + tick + alarm], [listed]],
  ['cannot be read in a list', [head + tick + alarm, ''], null],
])('an alarm that %s', (_name, texts, alarms) => {
  const lists = [...texts];
  const last = lists.at(-1) ?? '';
  expect(listAlarms(() => lists.shift() ?? last)).toEqual(alarms);
});

describe('alarms from reading to reading', () => {
  const first = { key: 'a 1', leftMs: 50_000, endsMs: 50_000 };
  const later = { key: 'a 2', leftMs: 90_000, endsMs: 90_000 };
  const ages = (memory: AlarmMemory, keys: (typeof first)[], atMs: number) =>
    memory.take(keys, atMs).map(({ youngerThanMs, olderThanMs }) => [youngerThanMs, olderThanMs]);

  test('an alarm is younger than the second last list without it, and older than the first list with it', () => {
    const memory = new AlarmMemory();
    expect(ages(memory, [first], 1000)).toEqual([[null, 0]]);
    expect(ages(memory, [first], 2000)).toEqual([[null, 1000]]);
    expect(ages(memory, [first, later], 3000)).toEqual([
      [null, 2000],
      [2000, 0],
    ]);
    expect(ages(memory, [later], 4000)).toEqual([[3000, 1000]]);
  });

  test('an alarm that a list lacks for once is no new alarm', () => {
    const memory = new AlarmMemory();
    ages(memory, [first], 1000);
    ages(memory, [], 2000);
    ages(memory, [], 3000);
    expect(ages(memory, [first], 4000)).toEqual([[null, 3000]]);
  });

  test('an alarm that has ended is forgotten', () => {
    const memory = new AlarmMemory();
    ages(memory, [first], 1000);
    ages(memory, [], 60_000);
    ages(memory, [], 61_000);
    expect(ages(memory, [first], 62_000)).toEqual([[2000, 0]]);
  });
});

test('any list gives an alarm for each complete row, or is unknown', () => {
  const rows = fc.array(
    fc.oneof(fc.constantFrom(tick, alarm, slept, ' #1: <0>, it_real_fn, S:01\n'), fc.string()),
  );
  fc.assert(
    fc.property(rows, (parts) => {
      const text = head + tick + parts.join('\n');
      const listed = text.match(/\bit_real_fn\b/g)?.length ?? 0;
      const alarms = alarmsIn(text);
      expect(alarms === null || alarms.length === listed).toBe(true);
      for (const { leftMs, endsMs } of alarms ?? [])
        expect(leftMs >= 0 && Number.isFinite(endsMs)).toBe(true);
    }),
  );
});

test('snapshots share a list that was read after all of them began, and no older one', () => {
  let lists = 0;
  const readings = new AlarmReadings(() => {
    lists += 1;
    return [listed];
  });
  const beganMs = performance.now();
  const [one] = readings.since(beganMs - 500) ?? [];
  const [other] = readings.since(beganMs) ?? [];
  expect(lists).toBe(1);
  expect((one?.leftMs ?? 0) - (other?.leftMs ?? 0)).toBeCloseTo(500);
  readings.since(performance.now() + 1);
  expect(lists).toBe(2);
});
