import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import { stuckKinds } from '../../model/verdict.js';
import { isOnlyPossible, ruleFor } from '../rules/index.js';
import { restedMs } from './alarm.js';
import type { Cause } from './cause.js';
import { type End, type Exploration, explore, pathTo } from './explore.js';
import type { Task, View } from './view.js';

const threadKey = ({ waiter }: Pick<End, 'waiter'>): string => `${waiter.process.pid} ${waiter.thread.tid}`;

/** The threads through which an end was reached, including its own waiter. */
function threadsOnTheWay(exploration: Exploration, end: End): Set<string> {
  const keys = new Set([threadKey(end)]);
  for (const { step } of pathTo(exploration, end.waiter.process.pid)) {
    if (step !== null) keys.add(threadKey({ waiter: step.from }));
  }
  return keys;
}

/** A timer that is known to be set; `supposed`: only the handler of its signal was seen. */
const isTimer = ({ cause }: End, supposed: boolean): boolean =>
  cause.kind === 'timer' && cause.supposed === supposed;

/** A socket that clients connect to, in a process of the tree. */
const listens = (view: View, { cause, beyond, waiter }: End): boolean =>
  cause.kind === 'listening' && !beyond && view.hasMember(waiter.process.pid);

/** Causes that a thread listens for because it expects them. */
const expected: ReadonlySet<Cause['kind']> = new Set(['stdin', 'terminal', 'watching']);

/**
 * A cause that comes by itself outranks a cause that is only possible. A thread with a deadline goes on without
 * everything else in its wait, and without all that lies behind it. A process with a listening socket is a server: its
 * own timers, and those of its helpers, do not change that.
 */
export function goesOnInstead(view: View, exploration: Exploration, end: End): End | undefined {
  const { ends } = exploration;
  const isPossible = isOnlyPossible(end.cause);
  if (!isPossible && !isTimer(end, false)) return undefined;
  const way = threadsOnTheWay(exploration, end);
  const onTheWay = ends.filter((other) => way.has(threadKey(other)));
  const server =
    ends.find((other) => listens(view, other) && other.waiter.process.pid === end.waiter.process.pid) ??
    (isPossible ? undefined : onTheWay.find((other) => listens(view, other)));
  if (server !== undefined || !isPossible) return server;
  const inSameWait = onTheWay.filter((other) => threadKey(other) === threadKey(end));
  return (
    onTheWay.find((other) => isTimer(other, false)) ??
    inSameWait.find(({ cause }) => expected.has(cause.kind)) ??
    inSameWait.find((other) => isTimer(other, true))
  );
}

/** Whether a thread on the path may have a deadline that could not be read. */
export function mayHaveDeadline(exploration: Exploration, end: End): boolean {
  const outlooks = [...exploration.outlooks.values()].flat();
  const vague = outlooks.filter(({ wait }) => wait?.complete === false);
  if (vague.length === 0) return false;
  const way = threadsOnTheWay(exploration, end);
  return vague.some(({ task }) => way.has(threadKey({ waiter: task })));
}

/** The end is no fault and comes by itself. */
function comes(view: View, { cause, strength, task, beyond }: End): boolean {
  if (beyond || strength === 'derived' || isOnlyPossible(cause)) return false;
  return !stuckKinds.has(ruleFor(cause, task, view).verdict);
}

/** Ends of processes of the tree that go on, and do not themselves wait for the stopped process. */
export function relativesOf(view: View, exploration: Exploration, { process }: Task): End[] {
  const waiting = new Set(pathTo(exploration, process.pid).map(({ pid }) => pid));
  return exploration.ends.filter(
    ({ task, ...end }) =>
      !waiting.has(task.process.pid) && view.hasMember(task.process.pid) && comes(view, { task, ...end }),
  );
}

const sleeps: ReadonlySet<string> = new Set(['nanosleep', 'clock_nanosleep']);

/** It does nothing but sleep until a time: it waits for no other process, as an event loop with a timer may do. */
export function merelySleeps({ threads }: ProcessFacts): boolean {
  return threads.every(({ call }) => !isAbsent(call) && call.at === 'call' && sleeps.has(call.name));
}

/**
 * A process of the same session may continue a stopped process when its own wait is over. One that has run meanwhile had
 * its chance. Those above the stopped process count only if they merely sleep: an agent always has timers.
 */
export function mayBeContinued(tree: View, branch: View, { process }: Task): boolean {
  const stoppedMs = restedMs(process);
  const others = tree.snapshot.processes.filter((other) => {
    const { pid, session } = other;
    const mayAct = !branch.isAncestor(pid) || merelySleeps(other);
    const isRelative = tree.isOfTree(other) && !branch.hasMember(pid) && mayAct;
    if (!isRelative || session !== process.session || pid === tree.snapshot.reader.pid) return false;
    return restedMs(other) * 2 >= stoppedMs;
  });
  if (others.length === 0) return false;
  const { ends } = explore(tree, ...others.map(({ pid }) => pid));
  return ends.some((end) => others.includes(end.task.process) && comes(tree, end));
}
