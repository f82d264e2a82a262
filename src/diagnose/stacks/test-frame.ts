import type { RunningTest, StackFrame, ThreadStack } from '../../model/facts/stack.js';
import { isOwnCode } from './own-code.js';

/** How a language marks tests: what a test runner calls, and how the test is named. */
interface TestMarks {
  /** A frame that only a test runner has; the function that it called stands before it. */
  runner: RegExp;
  /** Functions that are tests, where no frame of a runner shows. */
  test: RegExp | null;
  file: RegExp;
  name(frame: StackFrame): string;
}

const shortFile = (file: string | null): string => file?.split('/').at(-1) ?? '';

const marks: Partial<Record<ThreadStack['language'], TestMarks>> = {
  python: {
    runner: /^(?:pytest_pyfunc_call|(?:TestCase\.)?_callTestMethod|call_fixture_func)$/,
    test: /(?:^|\.)test/i,
    file: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$/,
    name: (frame) => `${shortFile(frame.file)}::${withoutLocals(frame.function)}`,
  },
  go: {
    runner: /^testing\.(?:tRunner|\(\*B\)\.runN|fRunner)/,
    test: null,
    file: /_test\.go$/,
    name: (frame) =>
      frame.function
        .split('/')
        .at(-1)
        ?.replace(/\.func[\d.]+$/, '') ?? frame.function,
  },
  native: {
    runner: /^test::__rust_begin_short_backtrace/,
    test: null,
    file: /\.rs$/,
    name: (frame) => frame.function.replace(/(?:::\{closure[^}]*\})+$/, '').replace(/^\w+::/, ''),
  },
  java: {
    runner: /^(?:org\.junit\.|junit\.framework\.|org\.testng\.)/,
    test: null,
    file: /\.(?:java|kt|scala|groovy)$/,
    name: (frame) => frame.function.split('.').slice(-2).join('.'),
  },
};

/** `Locks.test_it.<locals>.<lambda>` runs inside `Locks.test_it`. */
function withoutLocals(name: string): string {
  return name.split('.<locals>')[0] ?? name;
}

/** The frame of the test function: the outermost own frame inside the runner; null: no test runs on this stack. */
export function testFrameOf(stack: ThreadStack): StackFrame | null {
  const mark = marks[stack.language];
  if (mark === undefined) return null;
  const { frames } = stack;
  const runner = frames.findIndex((frame) => mark.runner.test(frame.function));
  const inside = runner < 0 ? frames : frames.slice(0, runner);
  const own = inside.filter((frame) => isOwnCode(stack, frame) && mark.file.test(frame.file ?? ''));
  const named = mark.test === null ? [] : own.filter((frame) => mark.test?.test(frame.function));
  if (runner < 0) return named.at(-1) ?? null;
  return named.at(-1) ?? own.at(-1) ?? null;
}

export function testOnStack(stack: ThreadStack): RunningTest | null {
  const frame = testFrameOf(stack);
  const mark = marks[stack.language];
  if (frame === null || mark === undefined) return null;
  return { name: mark.name(frame), file: frame.file, line: frame.line, from: 'stack' };
}
