import { expect, test } from 'vitest';
import { alarmsIn } from '../../../src/probe/linux/alarms.js';

const head = 'Timer List Version: v0.10\nHRTIMER_MAX_CLOCK_BASES: 8\nnow at 1 nsecs\n';
const tick = ' #0: <00000000dcbd6989>, tick_nohz_handler, S:01\n';
const alarm = ' #20: <00000000dcbd6980>, it_real_fn, S:01\n';

test.each([
  ['no process has one', head + tick, false],
  ['some process has one', head + tick + alarm, true],
  ['a container shows an empty file', '', null],
  [
    'the kernel has no names of its functions',
    `${head} #0: <00000000dcbd6989>, 0xffffffff81234, S:01\n`,
    null,
  ],
  ['it is something else', tick, null],
])('G3 alarms of the machine: %s', (_name, text, alarms) => {
  expect(alarmsIn(text)).toBe(alarms);
});
