import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { ProcessStacks, RunningTest } from '../../model/facts/stack.js';
import { printable } from '../../text/printable.js';
import { isTestThread } from './rust-tests.js';
import { testOnStack } from './test-frame.js';

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
