import type { Snapshot } from '../../model/snapshot.js';
import type { ThreadStack } from '../../model/stack.js';

/** Adds stacks of processes that have none yet: what was read from memory is of the moment of the snapshot. */
export function addStacks(snapshot: Snapshot, stacks: readonly ThreadStack[]): void {
  if (stacks.length === 0) return;
  const known = [...(snapshot.stacks ?? [])];
  for (const pid of new Set(stacks.map((stack) => stack.pid))) {
    const threads = stacks.filter((stack) => stack.pid === pid);
    const at = known.findIndex((one) => one.pid === pid);
    if (at < 0) known.push({ pid, threads });
    else if (known[at]?.threads.length === 0) known[at] = { ...known[at], pid, threads };
  }
  snapshot.stacks = known;
}
