import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Certainty, VerdictKind } from '../../../model/verdict.js';
import { type Judgement, judgeView } from '../../judge.js';
import type { Cause } from '../cause.js';
import { lacksVital } from '../doubt.js';
import { type End, explore } from '../explore.js';
import { type AwaitedTools, ToolBranches } from '../tool-branches.js';
import type { Task, View } from '../view.js';
import { isOwnersOnly } from '../wakers/futex.js';
import { cancelsThreads, joinMayEnd } from './cancelled.js';
import { isGoing } from './cycle-state.js';
import { limitOf } from './limits.js';
import { allLockCycles, type CycleWithWaiters } from './lock-cycles.js';
import { certaintyWithin, outerLimit } from './outer-limit.js';
import { handledSignals } from './signals.js';
import { stuckGoroutines } from './stuck-goroutines.js';

/** Further sets are not listed: one mistake repeated often is one problem. */
const setsMax = 20;

/** Threads of a process that wait for each other, whatever its other threads do. */
export interface StuckThreads {
  judgement: Judgement;
  /** The threads of the set, and the threads that wait for one of them. */
  tasks: Task[];
  /** What the process does apart from these threads. */
  beside: VerdictKind;
}

/**
 * Whether only the owner of what a thread waits for can end that wait: a Java monitor, or a mutex of a kind that refuses
 * every other thread. A Java lock may be waited for in a way that another thread can interrupt, a plain mutex be released
 * by a thread that does not own it, and a join be cancelled.
 */
function onlyOwnerEnds({ thread }: Task): boolean {
  const { monitor, call } = thread;
  if (monitor !== undefined) return monitor.type === undefined;
  return !isAbsent(call) && call.at === 'call' && call.futex !== undefined && isOwnersOnly(call.futex);
}

/** Ends of the threads of these processes that go on. */
function goingIn(view: View, processes: ReadonlySet<ProcessFacts>): End[] {
  return [...processes].flatMap(({ pid }) => {
    const own = view.branch(pid);
    return explore(own, pid).ends.filter((end) => isGoing(own, end));
  });
}

/** null: a timer ends the cycle. */
function certaintyOf(view: View, whole: Judgement, { cycle }: CycleWithWaiters): Certainty | null {
  const limit = limitOf(view, cycle);
  if (limit !== null) return limit === 'set' ? null : 'medium';
  const processes = new Set(cycle.tasks.map(({ process }) => process));
  const isOpen = [...processes].some(
    (process) => handledSignals(process) !== 0n || process.memorySharers === null,
  );
  if (joinMayEnd(view, cycle, goingIn(view, processes))) return 'medium';
  const proven = cycle.goneOwner === null && cycle.tasks.every(onlyOwnerEnds);
  return proven && !isOpen && !cancelsThreads(cycle) && !lacksVital(view, whole.exploration)
    ? 'certain'
    : 'high';
}

/** The tree was judged by the same threads already: the whole tree is stuck, not some of its threads. */
function isWhole(whole: Judgement, tasks: readonly Task[]): boolean {
  if (whole.kind !== 'deadlock' || !('tasks' in whole.cause)) return false;
  // A cycle that is not a closed set: the process has other threads, which may go on.
  if (whole.cause.kind === 'lock-cycle' && whole.certainty !== 'certain') return false;
  const known = whole.cause.tasks;
  return tasks.some(({ thread }) => known.some((task) => task.thread.tid === thread.tid));
}

/** Sets of stuck threads in processes of the tree, except in parts that are stuck as a whole. */
export function findStuckThreads(
  whole: Judgement,
  parts: readonly Judgement[],
  awaited: AwaitedTools | null,
): StuckThreads[] {
  const { view } = whole;
  const tools = new ToolBranches(view, awaited);
  const isOfPart = ({ process }: Task): boolean => parts.some((part) => part.view.hasMember(process.pid));
  const found: StuckThreads[] = [];
  const add = (cause: Cause, certainty: Certainty | null, tasks: Task[]): void => {
    const [first] = tasks;
    if (
      first === undefined ||
      certainty === null ||
      isOfPart(first) ||
      isWhole(whole, tasks) ||
      found.length === setsMax
    )
      return;
    const own = view.branch(first.process.pid);
    const judgement = judgeView(own);
    if (judgement === null) return;
    const { exploration } = judgement;
    const limit = outerLimit(view, own, tasks, (pid) => tools.mayLimit(pid));
    found.push({
      tasks,
      beside: judgement.kind,
      judgement: {
        ...{ view: own, exploration, kind: 'deadlock', cause, task: first, waiter: first },
        ...{ others: [], elsewhere: null, wayOut: false, ...(limit !== null && { limit }) },
        certainty: certaintyWithin(limit, certainty),
      },
    });
  };
  for (const circle of allLockCycles(view))
    add(circle.cycle, certaintyOf(view, whole, circle), [...circle.cycle.tasks, ...circle.waiters]);
  for (const pid of view.members) {
    const process = view.process(pid);
    const [leader] = process?.threads ?? [];
    if (process === undefined || leader === undefined || process.changed !== null) continue;
    const { goroutines } = process;
    if (goroutines === undefined || isAbsent(goroutines) || goroutines.graph === undefined) continue;
    if (isAbsent(goroutines.graph)) continue;
    const task = { process, thread: leader };
    for (const stuck of stuckGoroutines(goroutines.graph))
      add({ kind: 'stuck-goroutines', tasks: [task], stuck }, 'high', [task]);
  }
  return found;
}
