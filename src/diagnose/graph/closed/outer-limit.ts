import type { ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import type { Certainty } from '../../../model/verdict.js';
import { weaker } from '../../../model/verdict.js';
import type { Cause } from '../cause.js';
import { merelySleeps } from '../goes-on.js';
import { isHousekeeping } from '../housekeeping.js';
import { outlookOf } from '../outlook.js';
import type { Task, View } from '../view.js';
import { handlesAlarm } from './signals.js';

/** A process outside of a stuck part that goes on by itself and may then end the part. */
export interface OuterLimit {
  process: ProcessFacts;
  /** null: not known. */
  leftMs: number | null;
}

/** A limit that is further away is not waited for. */
const soonMs = 10 * 60_000;

/** A part that may end soon is no alarm, and one that something may end is not certain. */
export function certaintyWithin(limit: OuterLimit | null, certainty: Certainty): Certainty {
  if (limit === null) return certainty;
  const isSoon = limit.leftMs === null || limit.leftMs <= soonMs;
  return weaker(certainty, isSoon ? 'medium' : 'high');
}

/** A limit takes effect this late at most. */
const overdueMs = 5000;

const optionsWithValue: ReadonlySet<string> = new Set(['-k', '--kill-after', '-s', '--signal']);
const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The limit of `timeout -k 5 1m COMMAND` is its first operand: no timer of its own shows how much is left. */
function leftOfTimeout({ name, command }: ProcessFacts, { offCpuMs }: ThreadFacts): number | null {
  if (name !== 'timeout' || offCpuMs === null) return null;
  const [, ...args] = command.split(/ +/);
  while (args[0]?.startsWith('-')) {
    const option = args.shift() ?? '';
    if (optionsWithValue.has(option)) args.shift();
  }
  const [, number, unit] = /^(\d+(?:\.\d+)?|\.\d+)([smhd]?)$/.exec(args[0] ?? '') ?? [];
  // It sleeps since it started the command.
  return number === undefined ? null : Number(number) * (unitMs[unit || 's'] ?? 0) - offCpuMs;
}

/** A handler of SIGALRM is a timer here only where a program seems made for it. */
function isOwnTimer(cause: Cause, process: ProcessFacts): cause is Extract<Cause, { kind: 'timer' }> {
  return cause.kind === 'timer' && (!cause.supposed || handlesAlarm(process));
}

/** The timers of a thread that has not run since then: one that has run meanwhile has not ended the part. */
function limitsOf(view: View, task: Task, sinceMs: number): OuterLimit[] {
  const { process, thread } = task;
  const { moved, offCpuMs, state } = thread;
  if (/[ZX]/.test(state) || moved !== false || offCpuMs === null || isHousekeeping(task)) return [];
  if (offCpuMs * 2 < sinceMs) return [];
  return outlookOf(view, task).wakers.flatMap((waker): OuterLimit[] => {
    if (waker.to !== 'outside' || !isOwnTimer(waker.cause, process)) return [];
    const leftMs = waker.cause.leftMs ?? leftOfTimeout(process, thread);
    // Its time was up, and what it did then did not end the part.
    return leftMs !== null && leftMs < -overdueMs ? [] : [{ process, leftMs }];
  });
}

/** For how long the part has been stuck. Threads that wait for a Java monitor wake up now and then to check it. */
function stuckForMs(tasks: readonly Task[]): number {
  const known = tasks.flatMap(({ thread }) =>
    thread.moved === false && thread.offCpuMs !== null && thread.monitor === undefined
      ? [thread.offCpuMs]
      : [],
  );
  if (known.length > 0) return Math.min(...known);
  return Math.max(0, ...tasks.flatMap(({ process }) => process.threads.map(({ offCpuMs }) => offCpuMs ?? 0)));
}

/**
 * What may end a stuck part soonest: a process above it, or one beside it in its session that does nothing but sleep
 * (`(sleep 60; kill …) &`), whose own wait ends by itself. `mayLimit`: whether a process counts.
 */
export function outerLimit(
  tree: View,
  part: View,
  tasks: readonly Task[],
  mayLimit: (pid: number) => boolean,
): OuterLimit | null {
  const sinceMs = stuckForMs(tasks);
  const session = part.target?.session;
  const limits = tree.snapshot.processes
    .filter((process) => {
      const { pid } = process;
      if (!tree.isOfTree(process) || part.hasMember(pid) || pid === tree.snapshot.reader.pid) return false;
      if (tree.isSupervisor(pid) || !mayLimit(pid)) return false;
      return part.isAncestor(pid) || (process.session === session && merelySleeps(process));
    })
    .flatMap((process): OuterLimit[] => [
      ...process.threads.flatMap((thread) => limitsOf(tree, { process, thread }, sinceMs)),
      ...(process.childLimitMs === undefined ? [] : [{ process, leftMs: process.childLimitMs }]),
    ]);
  return limits.sort((a, b) => (a.leftMs ?? 0) - (b.leftMs ?? 0))[0] ?? null;
}
