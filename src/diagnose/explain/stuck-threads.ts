import { isAbsent } from '../../model/facts/absence.js';
import type { StuckThread } from '../../model/verdict.js';
import { printable, printableName } from '../../text/printable.js';
import type { StuckThreads } from '../graph/closed/stuck-threads.js';
import type { Task, View } from '../graph/view.js';
import { ownerOf } from '../graph/wakers/futex.js';
import { goroutineName, parkedWords } from './goroutines.js';

const listedMax = 50;

/** The stuck threads of a finding, each with what it waits for. */
export function stuckThreadsOf({ judgement, tasks }: StuckThreads): StuckThread[] {
  const { cause, view } = judgement;
  if (cause.kind === 'stuck-goroutines')
    return cause.stuck.slice(0, listedMax).map((parked) => ({
      name: goroutineName(parked),
      waitsFor: parkedWords(parked),
      at: parked.at === null ? null : printable(parked.at),
      sinceMs: parked.sinceMs,
    }));
  return tasks.slice(0, listedMax).map((task) => ({
    name: `thread ${task.thread.tid} (${printableName(task.thread.name)})`,
    waitsFor: ownerWords(view, task),
    at: null,
    // A thread that waits for a monitor wakes up now and then to check it again: since when it waits is not known.
    sinceMs: task.thread.moved === false ? task.thread.offCpuMs : null,
  }));
}

function ownerWords(view: View, { process, thread }: Task): string {
  const { monitor, call } = thread;
  if (monitor?.type === 'threading.Thread') return `the end of thread ${monitor.owner}`;
  if (monitor !== undefined)
    return `the ${monitor.type ?? 'monitor'} at ${monitor.address}, held by thread ${monitor.owner}`;
  const futex = isAbsent(call) || call.at !== 'call' ? undefined : call.futex;
  const owner = futex === undefined ? null : ownerOf(view, process, futex);
  if (futex === undefined || owner === null) return 'a lock';
  if ('gone' in owner) return `the lock at ${futex.address} of thread ${owner.gone}, which is gone`;
  return owner.via === 'join'
    ? `the end of thread ${owner.tid}`
    : `the lock at ${futex.address}, held by thread ${owner.tid}`;
}

/**
 * Goroutines have no counter, and a thread that waits for a monitor wakes up to check it again: its runs mean nothing.
 */
export function runsOf({ judgement: { cause }, tasks }: StuckThreads): number {
  if (cause.kind === 'stuck-goroutines') return 0;
  return tasks.reduce(
    (sum, { thread }) => sum + (thread.monitor === undefined ? (thread.counter ?? 0) : 0),
    0,
  );
}
