import type { ProcessFacts, ThreadFacts } from '../../model/facts/snapshot.js';
import type { ProcessStacks, RunningTest, StackFrame, ThreadStack } from '../../model/facts/stack.js';
import { printable } from '../../text/printable.js';
import { isOwnCode } from './own-code.js';

/** Test programs that cargo has built. */
const testProgram = /\/deps\/[\w-]+-[0-9a-f]{16}$/;
/** `tests::two_locks`: threads carry the names of the tests they run. */
const testPath = /^[a-z_]\w*(?:::\w*)+$/i;

/** A thread that runs a test of Rust's own test harness. */
export function isTestThread({ exe, pid }: ProcessFacts, { tid, name }: ThreadFacts): boolean {
  return exe !== null && testProgram.test(exe) && tid !== pid && testPath.test(name);
}

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

const nameCharsMax = 200;
/** The kernel keeps this many characters of a thread's name. */
const threadNameMax = 15;

/** A file that a runner gave to a process of its own, as `node --test` does. */
const testFile =
  /(?:^|[/ ])(\/?(?:[\w.@+-]+\/)*[\w.-]*(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)test\/[\w.-]+\.[cm]?js))(?= |$)/;

/** The test that a process runs, by the best available source; null: no test is known. */
export function runningTest(process: ProcessFacts, stacks: ProcessStacks | undefined): RunningTest | null {
  const onStack = (stacks?.threads ?? []).flatMap((stack) => testOnStack(stack) ?? [])[0] ?? null;
  const printed = stacks?.test ?? null;
  // The runner knows the whole name, parameters included; the stack knows the line.
  if (printed !== null)
    return whole({
      ...printed,
      file: printed.file ?? onStack?.file ?? null,
      line: printed.line ?? onStack?.line ?? null,
    });
  const found = onStack ?? testOfThread(process) ?? testOfArguments(process);
  return found === null ? null : whole(found);
}

function testOfThread(process: ProcessFacts): RunningTest | null {
  const thread = process.threads.find((one) => isTestThread(process, one));
  if (thread === undefined) return null;
  const name = thread.name.length < threadNameMax ? thread.name : `${thread.name}…`;
  return { name, file: null, line: null, from: 'thread' };
}

function testOfArguments({ runtime, command }: ProcessFacts): RunningTest | null {
  const file = runtime === 'node' ? testFile.exec(command)?.[1] : undefined;
  const name = file?.split('/').at(-1);
  return file === undefined || name === undefined ? null : { name, file, line: null, from: 'arguments' };
}

function whole(test: RunningTest): RunningTest {
  return { ...test, name: printable(test.name).slice(0, nameCharsMax) };
}
