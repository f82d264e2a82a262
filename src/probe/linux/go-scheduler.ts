import { type Absent, isAbsent } from '../../model/absence.js';
import type { GoroutineFacts } from '../../model/goroutine-facts.js';
import type { ThreadFacts } from '../../model/snapshot.js';
import { goroutineAt, status } from './go-layout.js';
import { provePlace, readList } from './go-list.js';
import { eachRecord, failed, reasonNames } from './go-memory.js';
import { type GoPlaces, readGoPlaces } from './go-places.js';
import type { Memory } from './mem.js';
import type { ProcDir } from './proc-dir.js';

/** The thread asleep on a futex at this address. */
function sleeperAt(threads: readonly ThreadFacts[], address: number): number | null {
  const sleeper = threads.find(
    ({ call }) => !isAbsent(call) && call.at === 'call' && Number(call.futex?.address) === address,
  );
  return sleeper?.tid ?? null;
}

/** What the list of all goroutines says. Nothing in it is believed before it has proven itself. */
export function parseGoroutines(
  memory: Memory,
  places: GoPlaces,
  threads: readonly ThreadFacts[],
): GoroutineFacts | Absent {
  const list = readList(memory, places.goroutines);
  if (isAbsent(list)) return list;
  const nameOf = reasonNames(memory, places.reasons);
  const place = provePlace(memory, list, nameOf);
  if (place === null) return { absent: 'unsupported' };
  const waits = new Map<string, number>();
  let running = 0;
  let inCalls = 0;
  const complete = eachRecord(memory, list.addresses, (bytes, at) => {
    const goroutine = goroutineAt(bytes, at + place);
    if (goroutine === null) return false;
    if (goroutine.status === status.waiting) {
      const reason = nameOf(goroutine.reason);
      if (reason === null) return false;
      waits.set(reason, (waits.get(reason) ?? 0) + 1);
    } else if (goroutine.status === status.inCall) inCalls += 1;
    else if (goroutine.status !== status.dead && goroutine.status !== status.deadExtra) running += 1;
    return true;
  });
  if (!complete) return failed;
  return {
    waits: [...waits].map(([reason, count]) => ({ reason, count })),
    running,
    inCalls,
    signals: places.signals === null ? null : sleeperAt(threads, places.signals),
    unread: list.unread,
  };
}

/** What the scheduler of a Go program says of its goroutines: one moment, if none of its threads runs meanwhile. */
export function readGoroutines(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
): GoroutineFacts | Absent {
  const places = readGoPlaces(dir, memory);
  return isAbsent(places) ? places : parseGoroutines(memory, places, threads);
}
