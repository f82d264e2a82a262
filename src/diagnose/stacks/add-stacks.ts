import type { Snapshot } from '../../model/facts/snapshot.js';
import type { ProcessStacks } from '../../model/facts/stack.js';

/** Adds the answers of processes; stacks that were read from memory stay: they are of the moment of the snapshot. */
export function addStacks(snapshot: Snapshot, asked: readonly ProcessStacks[]): void {
  if (asked.length === 0) return;
  const known = new Map((snapshot.stacks ?? []).map((one) => [one.pid, one]));
  for (const stacks of asked) {
    const before = known.get(stacks.pid);
    const threads = before === undefined || before.threads.length === 0 ? stacks.threads : before.threads;
    known.set(stacks.pid, { ...before, ...stacks, threads });
  }
  snapshot.stacks = [...known.values()];
}
