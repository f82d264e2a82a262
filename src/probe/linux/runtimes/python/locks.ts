import { isAbsent } from '../../../../model/facts/absence.js';
import type { MonitorFacts } from '../../../../model/facts/monitors.js';
import type { ThreadFacts } from '../../../../model/facts/snapshot.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import type { CpuBudget } from '../cpu-budget.js';
import { PythonMemory } from './memory.js';
import { type PythonThread, readPythonThreads } from './threads.js';

/** The waiting call lies within this many words of the end of the stack. */
const waitWords = 512;
const waitersMax = 64;
const searchBytesMax = 96 * 1024 * 1024;

const lockType = '_thread.lock';
const recursiveType = '_thread.RLock';
/** Fields of a lock: the semaphore, then the owner of a recursive lock, else whether it is locked. */
const lock = { semaphore: 16, owner: 24, locked: 32 } as const;
/** A method of a builtin type that is bound to an object: its description, and the object. */
const method = { description: 16, self: 24 } as const;
const methodType = 'builtin_function_or_method';
const tuple = { length: 16, first: 24 } as const;
const codeWords = 16;
const namesMax = 256;
/** Where the text of a plain string begins. */
const asciiText = 48;
const reference = { type: /^weakref/, to: 16 } as const;

interface Waiter {
  tid: number;
  namespaceTid: number;
  sp: number;
  semaphore: number;
}

/** A waiter with the lock object that it waits for. */
interface LockWaiter extends Waiter {
  lock: number;
  type: string;
}

/**
 * What threads of a Python program wait for, and which thread has it. A recursive lock names its owner. A plain lock
 * does not; but the thread that is in `with lock:` keeps the lock's `__exit__` on the stack of its frame, and the
 * thread that `join` waits for is known to its own record.
 */
export function readPythonLocks(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
  budget: CpuBudget,
): Map<number, MonitorFacts> {
  return budget.spend(() => findOwners(dir, memory, threads)) ?? new Map();
}

function findOwners(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
): Map<number, MonitorFacts> {
  const found = new Map<number, MonitorFacts>();
  const waiters = threads.flatMap((thread) => waiterOf(dir, thread)).slice(0, waitersMax);
  const [first] = waiters;
  const maps = waiters.length < 2 ? '' : dir.text('maps');
  if (first === undefined || isAbsent(maps) || maps === '') return found;
  const python = new PythonMemory(memory, maps);
  const locked = waiters.flatMap((waiter) => lockOf(python, waiter));
  const known = locked.length < 2 ? null : readPythonThreads(python, first.sp, first.namespaceTid);
  if (known === null) return found;
  const holders = holdersIn(python, known);
  let searched: { releases: ReadonlySet<number> | null } | undefined;
  const releases = (): ReadonlySet<number> | null => {
    searched ??= { releases: storedReleases(python, locked) };
    return searched.releases;
  };
  const tids = new Map(threads.map(({ tid, namespaceTid }) => [namespaceTid, tid]));
  for (const waiter of locked) {
    const owner = ownerOf(python, waiter, { locked, known, holders, releases });
    const tid = owner === null ? undefined : tids.get(owner.tid);
    if (owner === null || tid === undefined || tid === waiter.tid) continue;
    found.set(waiter.tid, { address: `0x${waiter.lock.toString(16)}`, owner: tid, type: owner.type });
  }
  return found;
}

function waiterOf(dir: ProcDir, { tid, namespaceTid, call }: ThreadFacts): Waiter[] {
  if (isAbsent(call) || call.at !== 'call' || call.futex === undefined || !call.futex.private) return [];
  if (call.timeout === undefined || isAbsent(call.timeout) || call.timeout.ms !== null) return [];
  const line = dir.text(`task/${tid}/syscall`);
  // Call, six arguments, stack pointer, place in the code.
  const sp = isAbsent(line) ? undefined : line.trim().split(' ')[7];
  return sp === undefined
    ? []
    : [{ tid, namespaceTid, sp: Number(sp), semaphore: Number(call.futex.address) }];
}

/** The lock object lies on the stack of the thread that waits for it. */
function lockOf(python: PythonMemory, waiter: Waiter): LockWaiter[] {
  for (const word of new Set(python.words(waiter.sp, waitWords))) {
    if (python.rangeOf(word) === undefined || python.word(word + lock.semaphore) !== waiter.semaphore)
      continue;
    const type = python.typeOf(word);
    if (type === lockType || type === recursiveType) return [{ ...waiter, lock: word, type }];
  }
  return [];
}

/** Threads that are in `with lock:`, by lock; a thread that waits to get in is among them. */
type Holders = Map<number, { tid: number; method: number }[]>;

function holdersIn(python: PythonMemory, threads: readonly PythonThread[]): Holders {
  const holders: Holders = new Map();
  for (const { tid, slots } of threads) {
    for (const slot of slots) {
      if (methodName(python, slot) !== '__exit__') continue;
      const self = python.word(slot + method.self);
      holders.set(self, [...(holders.get(self) ?? []), { tid, method: slot }]);
    }
  }
  return holders;
}

function methodName(python: PythonMemory, address: number): string {
  if (python.typeOf(address) !== methodType) return '';
  return python.text(python.word(python.word(address + method.description)));
}

interface Known {
  locked: readonly LockWaiter[];
  known: readonly PythonThread[];
  holders: Holders;
  /** Searched at most once for all locks: it reads all memory of the program. */
  releases(): ReadonlySet<number> | null;
}

function ownerOf(
  python: PythonMemory,
  waiter: LockWaiter,
  { locked, known, holders, releases }: Known,
): { tid: number; type: MonitorFacts['type'] } | null {
  if (waiter.type === recursiveType) {
    const ident = python.word(waiter.lock + lock.owner);
    const owner = known.find((thread) => thread.ident === ident);
    return owner === undefined ? null : { tid: owner.tid, type: 'threading.RLock' };
  }
  const ending = known.find(({ record }) => record.some((word) => refersTo(python, word, waiter.lock)));
  if (ending !== undefined) return { tid: ending.tid, type: 'threading.Thread' };
  const waiting = new Set(
    locked.filter((other) => other.lock === waiter.lock).map((one) => one.namespaceTid),
  );
  const inside = (holders.get(waiter.lock) ?? []).filter(({ tid }) => !waiting.has(tid));
  const [owner, ...others] = inside;
  const isLocked = python.word(waiter.lock + lock.locked) % 256 === 1;
  // A stack slot that is no longer used may name a lock that another thread has by now: then there are two.
  if (owner === undefined || others.length > 0 || !isLocked) return null;
  const free = known.filter((thread) => !locked.some(({ namespaceTid }) => namespaceTid === thread.tid));
  if (free.some(({ slots }) => slots.some((slot) => namesRelease(python, slot)))) return null;
  const released = releases();
  if (released === null || released.has(waiter.lock)) return null;
  return { tid: owner.tid, type: 'threading.Lock' };
}

function refersTo(python: PythonMemory, word: number, target: number): boolean {
  return (
    word > 4096 && python.word(word + reference.to) === target && reference.type.test(python.typeOf(word))
  );
}

/** Whether this is the code of a function that calls a `release`: which lock it releases is not known. */
function namesRelease(python: PythonMemory, address: number): boolean {
  if (python.typeOf(address) !== 'code') return false;
  return python.words(address, codeWords).some((word) => {
    if (python.typeOf(word) !== 'tuple') return false;
    const [length = 0] = python.words(word + tuple.length, 1);
    const names = python.words(word + tuple.first, Math.min(length, namesMax));
    return names.some((name) => python.typeOf(name) === 'str' && python.text(name + asciiText) === 'release');
  });
}

/**
 * Locks of which a `release` is stored somewhere, to be called by another thread, as a timer does; null: too much memory
 * to search.
 */
function storedReleases(python: PythonMemory, locked: readonly LockWaiter[]): ReadonlySet<number> | null {
  const plain = locked.filter(({ type }) => type === lockType).map((waiter) => waiter.lock);
  const places = python.find([...new Set(plain)], searchBytesMax);
  if (places === null) return null;
  const isRelease = (place: number): boolean => methodName(python, place - method.self) === 'release';
  return new Set([...places].filter(([, found]) => found.some(isRelease)).map(([address]) => address));
}
