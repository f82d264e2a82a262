import type { GoroutineGraph, ParkedGoroutine } from '../../../model/facts/goroutines.js';

/** The number of the goroutine that runs main. */
const mainId = 1;

/**
 * Waits of a goroutine in the middle of its work. Idle workers wait in others: receive, select, Cond.Wait. A WaitGroup is
 * also waited for by a goroutine that closes a channel after its workers, and is left with them.
 */
const lockReasons: ReadonlySet<string> = new Set([
  'semacquire',
  'sync.Mutex.Lock',
  'sync.RWMutex.Lock',
  'sync.RWMutex.RLock',
]);
const channelReasons: ReadonlySet<string> = new Set(['chan send', 'chan receive']);

/** Goroutines that no goroutine which may still run can wake: the rest after all wakeable goroutines are removed. */
export function unwakeable({ parked, reached }: GoroutineGraph): ParkedGoroutine[] {
  const open = new Set(reached);
  let rest = parked;
  for (;;) {
    const woken = rest.filter(({ awaits }) => awaits === null || awaits.some((thing) => open.has(thing)));
    if (woken.length === 0) return rest;
    for (const { reaches } of woken) for (const thing of reaches) open.add(thing);
    rest = rest.filter((goroutine) => !woken.includes(goroutine));
  }
}

/** Whether another goroutine could wake this goroutine, if that other goroutine ran. */
function couldBeWokenBy(goroutine: ParkedGoroutine, other: ParkedGoroutine): boolean {
  return goroutine !== other && (goroutine.awaits ?? []).some((thing) => other.reaches.includes(thing));
}

/** Groups of goroutines that are connected by what they wait for. */
function groupsOf(goroutines: readonly ParkedGoroutine[]): ParkedGoroutine[][] {
  const groups: ParkedGoroutine[][] = [];
  const left = new Set(goroutines);
  for (const first of left) {
    const group = new Set([first]);
    left.delete(first);
    for (const member of group) {
      for (const other of left) {
        if (!couldBeWokenBy(member, other) && !couldBeWokenBy(other, member)) continue;
        group.add(other);
        left.delete(other);
      }
    }
    groups.push([...group]);
  }
  return groups;
}

/** A cycle of goroutines, each waiting alone for a channel that the next goroutine would have to use. */
function isCycle(group: readonly ParkedGoroutine[]): boolean {
  const alone = group.filter(
    (one) =>
      channelReasons.has(one.reason) &&
      !group.some((other) => other !== one && other.awaits?.some((thing) => one.awaits?.includes(thing))),
  );
  return alone.some((first) => {
    const behind = new Set(alone.filter((other) => couldBeWokenBy(first, other)));
    for (const next of behind) for (const other of alone) if (couldBeWokenBy(next, other)) behind.add(other);
    return behind.has(first);
  });
}

/**
 * Abandoned idle workers, and senders whose reader has gone, will not run again either; but nothing waits for them. It
 * is a deadlock where main waits for others that are stuck, where a lock is waited for, or where two goroutines wait for
 * each other. A main that waits alone is no deadlock: `<-make(chan struct{})` and a WaitGroup without workers keep a
 * program alive whose other goroutines do its work.
 */
function isDeadlock(group: readonly ParkedGoroutine[]): boolean {
  if (group.some(({ reason }) => lockReasons.has(reason)) || isCycle(group)) return true;
  return group.length > 1 && group.some(({ id }) => id === mainId);
}

/** Sets of goroutines that wait for each other for ever, whatever the rest of the program does. */
export function stuckGoroutines(graph: GoroutineGraph): ParkedGoroutine[][] {
  return groupsOf(unwakeable(graph)).filter(isDeadlock);
}
