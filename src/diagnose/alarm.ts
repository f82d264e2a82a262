import type { ProcessFacts } from '../model/snapshot.js';
import { isDeafTo, SIGALRM } from './signals.js';
import type { View } from './view.js';

/**
 * An alarm (setitimer) survives exec and need not be caught: then it ends its process, and what waits for that
 * process, or reads from it, goes on. Nothing shows which process has one. A process alone takes all that waits with
 * it: ended is not woken. `beside`: processes outside of the tree whose end would matter, too.
 */
export function alarmMayOpen(view: View, beside: Iterable<number>): boolean {
  if (view.snapshot.alarms === false) return false;
  const near = new Set(beside);
  const isConcerned = (process: ProcessFacts): boolean => view.isOfTree(process) || near.has(process.pid);
  // The leader of threads that go on may be dead itself.
  const isAlive = ({ threads }: ProcessFacts): boolean => threads.some(({ state }) => !/[ZX]/.test(state));
  const living = view.snapshot.processes.filter(
    (process) => isConcerned(process) && process.pid !== view.snapshot.reader.pid && isAlive(process),
  );
  return living.length > 1 && living.some((process) => !isDeafTo(process, SIGALRM));
}
