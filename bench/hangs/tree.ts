import { readdirSync } from 'node:fs';
import { read } from '../process-cost.js';

const treeMax = 500;

/** Of all its threads: Go and Java start theirs from any of them. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** A process and all below it. */
export function treeOf(leader: number): number[] {
  const found = [leader];
  for (const pid of found) if (found.length < treeMax) found.push(...childrenOf(pid));
  return found;
}

/** Only for trees that we have started ourselves. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
