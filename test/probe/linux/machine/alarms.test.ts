import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AlarmMemory, alarmsIn, listAlarms } from '../../../../src/probe/linux/machine/alarms.js';

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

test('an alarm that was not listed before is younger than the reading before, for as long as it is there', () => {
  const memory = new AlarmMemory();
  const old = { key: 'a 1', leftMs: 50, endsMs: 50 };
  const later = { key: 'a 2', leftMs: 90, endsMs: 90 };
  const ages = (keys: (typeof old)[], atMs: number) =>
    memory.take(keys, atMs).map(({ youngerThanMs }) => youngerThanMs);
  expect(ages([old], 1000)).toEqual([null]);
  expect(ages([old, later], 3000)).toEqual([null, 2000]);
  expect(ages([later], 4000)).toEqual([3000]);
  expect(ages([old], 5000)).toEqual([1000]);
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
