import type { Awaited } from './awaited.js';
import type { Cause } from './cause.js';
import type { Exploration } from './explore.js';
import type { Outlook } from './outlook.js';
import { awaitedSignals, hidesHandlers } from './signals.js';
import type { View } from './view.js';
import type { Via } from './waker.js';

const needsHolders: ReadonlySet<Via> = new Set([
  'pipe',
  'pipe-reader',
  'unix-socket',
  'eventfd',
  'fifo',
  'terminal',
]);

/** Processes from which one can only come back: followed to the end, the set the others wait for. */
function bottom(exploration: Exploration): Set<number> {
  const reach = new Map<number, Set<number>>();
  const next = new Map<number, Set<number>>();
  for (const { from, to } of exploration.edges) {
    if (!exploration.outlooks.has(to)) continue;
    const known = next.get(from.process.pid) ?? new Set();
    next.set(from.process.pid, known.add(to));
  }
  for (const pid of exploration.outlooks.keys()) {
    const seen = new Set([pid]);
    for (const at of seen) for (const to of next.get(at) ?? []) seen.add(to);
    reach.set(pid, seen);
  }
  let smallest: Set<number> = new Set(exploration.outlooks.keys());
  for (const seen of reach.values()) if (seen.size < smallest.size) smallest = seen;
  return smallest;
}

/** Sleeps without waiting for anybody: an empty set, a signal, or an event loop over its own doorbells. */
function merelySleeps({ wait, task }: Outlook): boolean {
  if (wait === null || task.thread.tid !== task.process.pid) return wait !== null;
  return wait.form === 'set' || wait.on.every(({ what }) => what === 'signal');
}

function stoodStill(outlook: Outlook): boolean {
  const { task, wait } = outlook;
  return task.thread.moved === false && wait?.source === 'call' && wait.complete;
}

function isSharedFutex(awaited: Awaited): boolean {
  return awaited.what === 'futex' && awaited.futex.mapping !== null;
}

function isOpenFutex(awaited: Awaited): boolean {
  const mapping = awaited.what === 'futex' ? awaited.futex.mapping : null;
  return mapping !== null && !mapping.endsWith(' deleted');
}

/** No end can be reached: nobody in the set can wake anybody. What kind of set it is, and how sure that is. */
export function describeKnot(view: View, exploration: Exploration): Extract<Cause, { kind: 'knot' }> {
  const pids = bottom(exploration);
  const members = [...pids].flatMap((pid) => exploration.outlooks.get(pid) ?? []);
  const alone = pids.size === 1 && members.every(merelySleeps);
  const edges = exploration.edges.filter(({ from }) => pids.has(from.process.pid));
  const holdersMatter =
    edges.some(({ via }) => needsHolders.has(via)) ||
    members.some(({ wait }) => wait?.on.some(isSharedFutex));
  const outlooks = [...exploration.outlooks.values()].flat();
  const stands = outlooks.every(stoodStill);
  const unseen =
    (holdersMatter && !view.holdersComplete) ||
    members.some(({ task }) => task.process.memorySharers === null);
  // An event loop may run a handler that we cannot see; a thread in a lock cannot.
  const handlers = members.some(
    ({ task, wait }) =>
      wait?.form === 'set' && task.thread.tid === task.process.pid && hidesHandlers(task.process),
  );
  // Java parks threads of idle pools in the same way.
  const java = members.some(({ task }) => task.process.runtime === 'java');
  // A handler runs in every wait, and may write to the pipe or kill the child that is waited for.
  const trapped = outlooks.some(({ task }) => awaitedSignals(task.process) !== 0n);
  // A file that still has a name may be mapped by anybody, who could then wake a futex in it.
  const open = members.some(({ wait }) => wait?.on.some(isOpenFutex));
  const proof = !stands || java ? 'partial' : handlers || unseen || trapped || open ? 'strong' : 'complete';
  return { kind: 'knot', tasks: members.map(({ task }) => task), alone, proof };
}
