import type { ProcessFacts, Snapshot } from '../../model/facts/snapshot.js';
import type { ProcessStacks, RunningTest } from '../../model/facts/stack.js';
import type { CodePlace } from '../../model/verdict.js';
import { printableName, printablePath } from '../../text/printable.js';
import type { Judgement } from '../judge.js';
import { runningTest } from './running-test.js';
import { showStacks } from './show-stack.js';

/** Adds the answers of processes; stacks that were read from memory stay: they are of the moment of the snapshot. */
export function addStacks(snapshot: Snapshot, asked: readonly ProcessStacks[]): void {
  if (asked.length === 0) return;
  const known = new Map((snapshot.stacks ?? []).map((one) => [one.pid, one]));
  for (const stacks of asked) {
    const before = known.get(stacks.pid);
    const threads = before === undefined || before.threads.length === 0 ? stacks.threads : before.threads;
    known.set(stacks.pid, { ...before, ...stacks, threads });
  }
  snapshot.stacks = [...known.values()];
}

/** The end of the chain and all of a deadlock first, then the rest of the tree: a process of it may run a test. */
export function stackTargets({ view, task, waiter, cause }: Judgement): ProcessFacts[] {
  const { processes, reader } = view.snapshot;
  const members = 'tasks' in cause ? cause.tasks : [];
  const named = [task, ...members, waiter].map(({ process }) => process);
  // The last processes first: the children of a runner run the tests.
  const rest = processes.filter((process) => view.isOfTree(process)).toReversed();
  return [...new Set([...named, ...rest])].filter(
    (process) => process.inTree && process.pid !== reader.pid && view.hasMember(process.pid),
  );
}

/** The running test and the stacks to show, from what was read of the code. */
export function codePlaceOf(judgement: Judgement): CodePlace {
  const { stacks = [] } = judgement.view.snapshot;
  const targets = stackTargets(judgement);
  const stacksOf = ({ pid }: ProcessFacts) => stacks.find((one) => one.pid === pid);
  const tests = targets.map((process) => ({ process, test: runningTest(process, stacksOf(process)) }));
  const running =
    tests.find(({ test }) => test !== null && test.from !== 'arguments') ??
    tests.find(({ test }) => test !== null);
  const subject = running?.process ?? judgement.task.process;
  const code = stacksOf(subject) ?? stacksOf(judgement.task.process);
  const shown = code === undefined ? [] : showStacks(code, judgement.waiter.thread.tid);
  return {
    ...(running?.test == null ? {} : { test: running.test }),
    ...(shown.length === 0 ? {} : { stack: shown }),
  };
}

/** `running test: test_two_locks (test_locks.py:12)`, for a sentence. */
export function testWords({ name, file, line, from }: RunningTest): string {
  if (from === 'arguments') return `test file: ${printablePath(name)}`;
  const place = file?.split('/').at(-1);
  if (from === 'after') {
    const where = place === undefined ? '' : ` (${printablePath(place)})`;
    return `running test: the one after “${printableName(name)}”${where}`;
  }
  if (place === undefined || (line === null && name.includes(place)))
    return `running test: ${printableName(name)}`;
  return `running test: ${printableName(name)} (${printablePath(place)}${line === null ? '' : `:${line}`})`;
}
