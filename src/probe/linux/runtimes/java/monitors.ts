import { isAbsent } from '../../../../model/facts/absence.js';
import { isOfPython, type MonitorFacts } from '../../../../model/facts/monitors.js';
import type { ThreadFacts } from '../../../../model/facts/snapshot.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import { parseSchedstat } from '../../proc/schedstat.js';
import { parseSyscall } from '../../proc/syscall.js';
import { readLayout } from './layout.js';
import { endedOwner, type LockWait } from './locks.js';
import { HotspotObjects } from './objects.js';
import { HotspotThreads } from './threads.js';

/** Each waiter takes some 100 µs. */
const waitersMax = 2048;
/** Waiters that re-check wake up once a second: the next try finds them asleep. */
const triesMax = 4;
/** No further try begins after this time: a large group of threads that never rests gets a single try. */
const patienceMs = 50;

/** What each thread waits for, by tid; null: for no monitor or lock. A missing thread could not be determined. */
export type Monitors = ReadonlyMap<number, MonitorFacts | null>;

/** A thread by its tid here and in its own process. */
interface Numbers {
  tid: number;
  namespaceTid: number;
}

/** Where the facts come from: the memory of the virtual machine, and the kernel's facts about a thread's sleep. */
export interface Sources {
  threads(): HotspotThreads | null;
  /** The tid here of a thread, by its tid in its own pid namespace. */
  tidOf(inner: number): number | null;
  /** Changes whenever the thread runs; null: not available. */
  counter(tid: number): string | null;
  /** Whether the thread is off the CPU, in a call. */
  isAsleep(tid: number): boolean;
}

const none: Monitors = new Map();

/**
 * Threads that wait for a monitor (`synchronized`) or a lock of java.util.concurrent that another thread has, in a Java
 * virtual machine that describes itself.
 */
export function readMonitors(dir: ProcDir, memory: Memory, threads: readonly Numbers[]): Monitors {
  const machine = readLayout(dir, memory);
  if (machine === null) return none;
  const { base, layout } = machine;
  const objects = machine.objects === null ? null : HotspotObjects.read(memory, machine.objects, base);
  const tids = new Map(threads.map(({ tid, namespaceTid }) => [namespaceTid, tid]));
  return findMonitors({
    threads: () => HotspotThreads.read(memory, layout, base, objects),
    tidOf: (inner) => tids.get(inner) ?? null,
    ...sleepersOf(dir),
  });
}

/**
 * Threads that could form a cycle, because they wait and are waited for, are read at one instant. Each of the other
 * threads, of which there may be hundreds, is read by itself, if no thread was seen waiting for it meanwhile: so it is
 * in no cycle.
 */
export function findMonitors(sources: Sources): Monitors {
  const all = sources.threads();
  if (all === null) return none;
  const waits = waitsOf(all, all.addresses, 'guess');
  const waiters = [...waits.keys()];
  if (waiters.length > waitersMax) return none;
  const free = all.addresses.flatMap((thread): [number, null][] => {
    const tid = waits.has(thread) ? null : sources.tidOf(all.tid(thread) ?? -1);
    return tid === null ? [] : [[tid, null]];
  });
  const awaited = new Set<bigint | null>();
  for (const [waiter, { owner }] of waits) if (owner !== waiter) awaited.add(owner);
  const inner = waiters.filter((waiter) => awaited.has(waiter));
  let together: Seen[] = [];
  for (let tries = 0; tries < triesMax && together.length < inner.length; tries += 1) {
    together = seeAtOnce(sources, inner);
  }
  const outer = seeOneByOne(
    sources,
    waiters.filter((waiter) => !awaited.has(waiter)),
  );
  const busy = new Set([...together, ...outer].map(({ facts }) => facts.owner));
  const found = [...together, ...outer.filter(({ tid }) => !busy.has(tid))];
  return new Map([...free, ...found.map(({ tid, facts }): [number, MonitorFacts] => [tid, facts])]);
}

function seeOneByOne(sources: Sources, waiters: readonly bigint[]): Seen[] {
  const found = new Map<bigint, Seen>();
  const untilMs = performance.now() + patienceMs;
  for (let tries = 0; tries < triesMax && found.size < waiters.length; tries += 1) {
    if (tries > 0 && performance.now() > untilMs) break;
    const missing = waiters.filter((waiter) => !found.has(waiter));
    for (const seen of seeAtOnce(sources, missing)) found.set(seen.thread, seen);
  }
  return [...found.values()];
}

interface Seen {
  thread: bigint;
  tid: number;
  facts: MonitorFacts;
}

/**
 * Everything returned was true at one instant: none of these threads ran from before the first read until after the
 * last.
 */
function seeAtOnce(sources: Sources, waiters: readonly bigint[]): Seen[] {
  const all = sources.threads();
  if (all === null) return [];
  const tidOf = (thread: bigint): number | null => sources.tidOf(all.tid(thread) ?? -1);
  const counters = waiters.map((waiter) => {
    const tid = tidOf(waiter);
    // First the counter: as long as it stays the same, a thread that was off the CPU after it was read has not run.
    const counter = tid === null ? null : sources.counter(tid);
    return tid === null || counter === null || !sources.isAsleep(tid) ? null : { tid, counter };
  });
  const waits = waitsOf(all, waiters, 'prove');
  // The structure of a thread is freed only after it has left the list.
  const listed = new Set(sources.threads()?.addresses);
  return waiters.flatMap((thread, index) => {
    const before = counters[index] ?? null;
    const facts = factsOf(thread, waits.get(thread), tidOf);
    if (before === null || facts === null || !listed.has(thread)) return [];
    return sources.counter(before.tid) === before.counter ? { thread, tid: before.tid, facts } : [];
  });
}

/** What a thread waits for. `owner` null: no owner, or not known. */
interface Wait {
  address: bigint;
  owner: bigint | null;
  /** Absent for a monitor. */
  type?: LockWait['type'] | 'class initialization';
  interruptible?: true;
}

function waitsOf(
  all: HotspotThreads,
  threads: readonly bigint[],
  ofLocks: 'guess' | 'prove',
): Map<bigint, Wait> {
  const owners = all.owners();
  const waits = new Map<bigint, Wait>();
  for (const thread of threads) {
    const monitor = all.pendingMonitor(thread);
    const pending = monitor === null ? all.pendingClass(thread) : null;
    if (monitor !== null) waits.set(thread, { address: monitor, owner: owners.of(monitor) });
    else if (pending !== null) waits.set(thread, { ...pending, type: 'class initialization' });
  }
  const others = threads.filter((thread) => !waits.has(thread));
  for (const [thread, wait] of all.locks?.[ofLocks](others) ?? []) waits.set(thread, wait);
  return waits;
}

/** null: no other thread has it, or no thread that can be named. */
function factsOf(
  waiter: bigint,
  wait: Wait | undefined,
  tidOf: (thread: bigint) => number | null,
): MonitorFacts | null {
  // A thread that has just got in has not yet recorded it; a thread may enter a monitor again that it is in.
  if (wait === undefined || wait.owner === null || wait.owner === waiter) return null;
  const { address, type, interruptible } = wait;
  const hasEnded = type !== undefined && wait.owner === endedOwner;
  const owner = hasEnded ? 0 : tidOf(wait.owner);
  if (owner === null) return null;
  return {
    address: `0x${address.toString(16)}`,
    owner,
    ...(hasEnded && { ended: true }),
    ...(type === undefined ? {} : { type }),
    ...(interruptible === undefined ? {} : { interruptible }),
  };
}

/** The threads with the monitors that both passes saw them wait for, and the threads that wait for none. */
export function withMonitors(threads: ThreadFacts[], first: Monitors, second: Monitors): ThreadFacts[] {
  if (first.size === 0) return threads;
  return threads.map((thread) => {
    const [before, after] = [first.get(thread.tid), second.get(thread.tid)];
    if (before === null && after === null) return { ...thread, monitorless: true };
    if (!before || !after || !isSame(after, before)) return thread;
    // What Python keeps on its stacks is of one moment only if the thread did not run.
    return isOfPython(after.type) && thread.moved !== false ? thread : { ...thread, monitor: after };
  });
}

/** An object may have been moved between the two passes; a monitor is never moved. */
function isSame({ address, owner, type, interruptible }: MonitorFacts, other: MonitorFacts): boolean {
  if (owner !== other.owner || interruptible !== other.interruptible) return false;
  return type === other.type && (type !== undefined || address === other.address);
}

export function sleepersOf(dir: ProcDir): Pick<Sources, 'counter' | 'isAsleep'> {
  return {
    counter(tid) {
      const text = dir.text(`task/${tid}/schedstat`);
      const schedstat = isAbsent(text) ? null : parseSchedstat(text);
      // A kernel without schedstat prints zeros for ever, which prove nothing.
      return schedstat === null || schedstat.counter === 0 ? null : `${schedstat.ranNs} ${schedstat.counter}`;
    },
    isAsleep(tid) {
      // The kernel shows a call only after it has seen the thread off the CPU.
      const text = dir.text(`task/${tid}/syscall`);
      return !isAbsent(text) && parseSyscall(text)?.at === 'call';
    },
  };
}
