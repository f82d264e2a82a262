import type { Cause } from './cause.js';
import { isHousekeeping } from './housekeeping.js';
import { outlookOf } from './outlook.js';
import { leadsIntoServer, withinServer } from './server-chain.js';
import type { Outlook } from './thread-outlook.js';
import type { Task, View } from './view.js';
import type { Strength, Via } from './waker.js';

/** The end of a chain: a cause that is not another process. */
export interface End {
  cause: Cause;
  strength: Strength;
  task: Task;
  /** The thread that waits for it, most often the same as `task`. */
  waiter: Task;
  /** Reached only through the surroundings of the tree (its ancestors, the holder of a file lock). */
  beyond: boolean;
}

/** How a process was first reached. */
export interface Step {
  from: Task;
  via: Via;
}

/** A thread waits for each of these processes. */
export interface Edge {
  from: Task;
  to: readonly number[];
  via: Via;
}

/** Everything reachable from the target along the edges of the wait graph. */
export interface Exploration {
  outlooks: Map<number, Outlook[]>;
  steps: Map<number, Step | null>;
  edges: Edge[];
  ends: End[];
}

const isDead = (state: string): boolean => state === 'Z' || state === 'X';

function livingTasks(view: View, pid: number): Task[] {
  const process = view.process(pid);
  if (process === undefined) return [];
  const [leader] = process.threads;
  const isOurs = view.isRelay(pid) || view.isSupervisor(pid);
  if (isOurs && leader !== undefined) return [{ process, thread: leader }];
  const tasks = process.threads.map((thread) => ({ process, thread }));
  const living = tasks.filter(({ thread }) => !isDead(thread.state));
  // A real zombie has no living thread: its only dead thread represents it.
  const speaking = living.length > 0 ? living : tasks.slice(0, 1);
  const own = speaking.filter((task) => !isHousekeeping(task));
  return own.length > 0 ? own : speaking;
}

/** Whether the process behind an edge belongs to the tree, or only to its surroundings. */
function leavesTree(view: View, pid: number, via: Via): boolean {
  const process = view.process(pid);
  if (process === undefined || view.hasMember(pid) || view.isRelay(pid)) return false;
  return via === 'file-lock' || view.isAncestor(pid);
}

/** A supervisor that relays input is waited for by the process before it on the path: that process is the waiter. */
function asking(view: View, { steps }: Pick<Exploration, 'steps'>, task: Task): Task {
  const from = view.isRelay(task.process.pid) ? steps.get(task.process.pid)?.from : undefined;
  return from === undefined || from.process === task.process ? task : asking(view, { steps }, from);
}

/** Breadth first from these processes over all their threads; each process is visited once. */
export function explore(view: View, ...starts: number[]): Exploration {
  const steps = new Map<number, Step | null>(starts.map((start) => [start, null]));
  const result: Exploration = { outlooks: new Map(), steps, edges: [], ends: [] };
  const queue = starts.map((pid) => ({ pid, beyond: false, served: false }));
  // Each list is followed once, however many threads share it.
  const followed = new Set<readonly number[]>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { pid, beyond, served } = next;
    const outlooks = livingTasks(view, pid).map((task) => outlookOf(view, task));
    result.outlooks.set(pid, outlooks);
    const from = result.steps.get(pid)?.from;
    if (outlooks.length === 0 && from !== undefined) {
      // The process ended before it could be read.
      const cause: Cause = { kind: 'changing', change: 'ended' };
      result.ends.push({ cause, strength: 'plain', task: from, waiter: from, beyond });
    }
    for (const { task, wakers } of outlooks) {
      for (const waker of served ? withinServer(view, task, wakers) : wakers) {
        if (waker.to === 'outside') {
          const about = waker.at === undefined ? undefined : livingTasks(view, waker.at)[0];
          const waiter = asking(view, result, task);
          result.ends.push({
            cause: waker.cause,
            strength: waker.strength,
            task: about ?? waiter,
            waiter,
            beyond,
          });
          continue;
        }
        const { via } = waker;
        const to = waker.to === 'thread' ? [waker.pid] : waker.pids;
        result.edges.push({ from: task, to, via });
        if (followed.has(to)) continue;
        followed.add(to);
        for (const pid of to) {
          if (result.steps.has(pid) || view.process(pid) === undefined) continue;
          result.steps.set(pid, { from: task, via });
          queue.push({
            pid,
            beyond: beyond || leavesTree(view, pid, via),
            served: leadsIntoServer(view, pid, via, served),
          });
        }
      }
    }
  }
  return result;
}

/** The processes from the target to this process, and how each waits for the next. */
export function pathTo(exploration: Exploration, pid: number): { pid: number; step: Step | null }[] {
  const path: { pid: number; step: Step | null }[] = [];
  let current: number | null = pid;
  while (current !== null) {
    const step: Step | null = exploration.steps.get(current) ?? null;
    path.unshift({ pid: current, step });
    current = step?.from.process.pid ?? null;
    if (path.length > exploration.steps.size) break;
  }
  return path;
}
