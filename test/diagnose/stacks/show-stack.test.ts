import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { testOnStack } from '../../../src/diagnose/stacks/running-test.js';
import { showStacks } from '../../../src/diagnose/stacks/show-stack.js';
import { type StackFrame, stackLines, type ThreadStack } from '../../../src/model/facts/stack.js';

type Short = [name: string, file: string | null, line: number | null];

function stack(language: ThreadStack['language'], frames: Short[], tid: number | null = 7): ThreadStack {
  return {
    pid: 7,
    tid,
    name: 'worker',
    language,
    from: 'memory',
    frames: frames.map(([name, file, line]): StackFrame => ({ function: name, file, line })),
  };
}

const pytest = stack('python', [
  ['Thread._wait_for_tstate_lock', '/usr/lib/python3.11/threading.py', 1132],
  ['Thread.join', '/usr/lib/python3.11/threading.py', 1112],
  ['helper', '/src/app/locks.py', 3],
  ['test_two_locks', '/src/app/test_locks.py', 19],
  ['pytest_pyfunc_call', '/usr/lib/python3/dist-packages/_pytest/python.py', 195],
  ['_multicall', '/usr/lib/python3/dist-packages/pluggy/_callers.py', 39],
]);

const named: [ThreadStack, string | undefined, number | null | undefined][] = [
  [pytest, 'test_locks.py::test_two_locks', 19],
  [
    stack('python', [
      ['Locks.test_it.<locals>.<lambda>', '/src/ut_test.py', 6],
      ['TestCase._callTestMethod', '/usr/lib/python3.12/unittest/case.py', 589],
    ]),
    'ut_test.py::Locks.test_it',
    6,
  ],
  [
    stack('go', [
      ['runtime.gopark', '/usr/lib/go-1.19/src/runtime/proc.go', 363],
      ['sync.(*WaitGroup).Wait', '/usr/lib/go-1.19/src/sync/waitgroup.go', 139],
      ['hangs/locks.TestTwoLocks', '/src/locks/locks_test.go', 24],
      ['testing.tRunner', '/usr/lib/go-1.19/src/testing/testing.go', 1446],
    ]),
    'locks.TestTwoLocks',
    24,
  ],
  [
    stack('java', [
      ['LocksTest.take', 'LocksTest.java', 7],
      ['org.demo.LocksTest.twoLocks', 'LocksTest.java', 15],
      ['jdk.internal.reflect.NativeMethodAccessorImpl.invoke0', null, null],
      ['org.junit.platform.commons.util.ReflectionUtils.invokeMethod', 'ReflectionUtils.java', 725],
    ]),
    'LocksTest.twoLocks',
    15,
  ],
  [
    stack('native', [
      ['std::sync::Mutex<i32>::lock<i32>', '/rustc/59807/library/std/src/sync/mutex.rs', 492],
      ['suite::tests::take', 'src/lib.rs', 9],
      ['suite::tests::two_locks', 'src/lib.rs', 17],
      ['suite::tests::two_locks::{closure#0}', 'src/lib.rs', 13],
      ['test::__rust_begin_short_backtrace<T>', 'library/test/src/lib.rs', 663],
    ]),
    'tests::two_locks',
    13,
  ],
  [stack('python', [['serve', '/src/app/server.py', 5]]), undefined, undefined],
  [stack('go', [['main.main', '/src/main.go', 3]]), undefined, undefined],
  [stack('node', [['run', '/src/a.test.js', 3]]), undefined, undefined],
];

describe('the running test is the outermost own function inside the runner', () => {
  it.each(named)('%#: of each language', (threads, name, line) => {
    const test = testOnStack(threads);
    expect(test?.name).toBe(name);
    expect(test?.line).toBe(line);
  });
});

describe('a stack as a log shows it', () => {
  it('shows own code and what it called, and folds the rest', () => {
    expect(stackLines(showStacks({ pid: 7, threads: [pytest] }, 7)).join('\n')).toMatchInlineSnapshot(`
      "stack of 7, thread 7 (worker):
        … 1 more frame
        Thread.join (threading.py:1112)
        helper (locks.py:3)
        test_two_locks (test_locks.py:19)
        … 2 more frames"
    `);
  });

  it('shows the thread that runs the test first', () => {
    const other = stack('python', [['take', '/src/app/locks.py', 7]], 9);
    const shown = showStacks({ pid: 7, threads: [other, pytest] }, 9);
    expect(shown.map(({ thread }) => thread)).toEqual(['thread 7 (worker)', 'thread 9 (worker)']);
  });

  it('names what an event loop waits for, where no JavaScript runs', () => {
    const handles = ['Timeout', 'TCPServerWrap', 'Timeout'];
    expect(stackLines(showStacks({ pid: 7, threads: [], handles }, 7)).join('\n')).toMatchInlineSnapshot(`
      "stack of 7, event loop, by inspector:
        no JavaScript runs
        open: Timeout x2, TCPServerWrap"
    `);
  });

  const frame = fc.record({
    function: fc.string({ maxLength: 400 }),
    file: fc.option(fc.string({ maxLength: 400 })),
    line: fc.option(fc.nat()),
  });
  const thread = fc.record({
    pid: fc.constant(7),
    tid: fc.option(fc.nat()),
    name: fc.string(),
    language: fc.constantFrom('python', 'go', 'java', 'node', 'native' as const),
    from: fc.constantFrom('memory', 'gdb' as const),
    frames: fc.array(frame, { maxLength: 60 }),
  });
  property.prop([fc.array(thread, { maxLength: 20 }), fc.nat()])(
    'is at most twelve lines of printable text, whatever was read',
    (threads, tid) => {
      const shown = showStacks({ pid: 7, threads: threads as ThreadStack[] }, tid);
      const lines = shown.flatMap((one) => one.lines);
      expect(lines.length).toBeLessThanOrEqual(12);
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(160);
        expect(line).not.toMatch(/[\x00-\x1f]/);
      }
    },
  );
});
