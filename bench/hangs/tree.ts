import { childrenOf } from '../process-cost.js';

const treeMax = 500;

/** A process and all below it; children of its main threads only, as most have no others. */
export function treeOf(leader: number): number[] {
  const found = [leader];
  for (const pid of found) if (found.length < treeMax) found.push(...childrenOf(pid));
  return found;
}

/** These are our own: the tree was read from a process that we have started and not yet collected. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
