import { isAbsent } from '../../../model/facts/absence.js';
import type { FutexFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import type { Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';

/** Owner of a lock as far as its memory proves it. `gone`: that thread no longer exists. */
export type Owner = { tid: number; pid: number; via: 'mutex' | 'join' } | { gone: number } | null;

/** All processes that have the memory of this process: itself, and those that share it without being its threads. */
export function memoryGroup(view: View, process: ProcessFacts): ProcessFacts[] {
  const sharers = (process.memorySharers ?? []).flatMap((pid) => view.process(pid) ?? []);
  return [process, ...sharers];
}

const tidMask = 0x3fffffff;
const processSharedKind = 128;
/** Kind 0 to 3 (normal, recursive, error-checking, adaptive), with or without the lock-elision flags. */
const plainKinds = new Set([0, 1, 2, 3].flatMap((kind) => [kind, kind | 0x100, kind | 0x200]));
/** No thread of a user's program has a smaller id; a smaller number is other data. */
const tidMin = 100;

const indexes = new WeakMap<readonly ThreadFacts[], Map<number, number>>();

function innerTids(threads: readonly ThreadFacts[]): Map<number, number> {
  const known = indexes.get(threads) ?? new Map(threads.map(({ namespaceTid, tid }) => [namespaceTid, tid]));
  indexes.set(threads, known);
  return known;
}

/** Thread ids in memory are those of the process's own pid namespace. */
function threadByInnerTid(group: readonly ProcessFacts[], inner: number, via: 'mutex' | 'join'): Owner {
  for (const { threads, pid } of group) {
    const tid = innerTids(threads).get(inner);
    if (tid !== undefined) return { tid, pid, via };
  }
  return null;
}

/** pthread_join waits on the thread's own tid word, which the kernel clears and wakes when the thread ends. */
function joined(group: readonly ProcessFacts[], futex: FutexFacts, words: readonly number[]): Owner {
  if (futex.private || words[0] !== futex.expected) return null;
  return threadByInnerTid(group, futex.expected, 'join');
}

/**
 * glibc's struct: lock word, count, owner, users, kind, then zeros. All of it must fit: Rust, Go and hand-made locks
 * use the same word, and the data behind theirs could pass for an owner.
 */
function glibcMutex(group: readonly ProcessFacts[], futex: FutexFacts, words: readonly number[]): Owner {
  const [word = 0, count = 0, owner = 0, users = 0, kind = 0, ...rest] = words;
  if (futex.operation !== 'wait' || !futex.private || futex.expected !== 2 || word !== 2) return null;
  if (users !== 1 || !plainKinds.has(kind) || rest.slice(0, 3).some((value) => value !== 0)) return null;
  if (group[0]?.runtime === 'go' || (count !== 0) !== ((kind & 3) === 1)) return null;
  const living = threadByInnerTid(group, owner, 'mutex');
  if (living !== null) return living;
  // No process outside this address space can release a private lock: its owner is gone for good.
  const known = group[0]?.memorySharers !== null;
  return known && owner >= tidMin && owner <= tidMask ? { gone: owner } : null;
}

/** The word on which a thread waits for a writer: it writes, and is waited for. */
const writerAwaited = 3;

/**
 * A thread that waits for a writer of a glibc rwlock sleeps in the struct: another writer 12 bytes into it, a reader 8 bytes
 * into it. Behind the word of writers are two unused words, the thread that writes, and a zero for a private lock. Unlocking
 * clears that thread.
 */
function rwlockOwner(group: readonly ProcessFacts[], futex: FutexFacts, words: readonly number[]): Owner {
  if (futex.operation !== 'wait-bitset' || !futex.private || futex.expected !== writerAwaited) return null;
  if (words[0] !== writerAwaited || group[0]?.runtime === 'go') return null;
  const [, second = 0] = words;
  for (const [one, other, writer = 0, shared] of [
    words.slice(1),
    second <= writerAwaited ? words.slice(2) : [],
  ])
    if (one === 0 && other === 0 && shared === 0 && writer >= tidMin)
      return threadByInnerTid(group, writer, 'mutex');
  return null;
}

/** Robust, priority-inheriting and musl's locks keep the owner in the word itself. */
function ownerInWord(group: readonly ProcessFacts[], futex: FutexFacts, words: readonly number[]): Owner {
  const word = words[0] ?? 0;
  const isWaited =
    futex.operation === 'wait' && (futex.expected & 0x80000000) !== 0 && futex.expected >>> 0 === word >>> 0;
  if (futex.operation !== 'lock-pi' && !isWaited) return null;
  // In a container ids are as small as the counters other locks (Rust's) keep in their word.
  return (word & tidMask) < tidMin ? null : threadByInnerTid(group, word & tidMask, 'mutex');
}

export function ownerOf(view: View, process: ProcessFacts, futex: FutexFacts): Owner {
  const { words } = futex;
  if (isAbsent(words) || words.length < 5) return null;
  const group = memoryGroup(view, process);
  return (
    joined(group, futex, words) ??
    glibcMutex(group, futex, words) ??
    rwlockOwner(group, futex, words) ??
    ownerInWord(group, futex, words)
  );
}

const robustKind = 16;

/** Whether glibc refuses to unlock this for a thread that does not own it: recursive, error-checking, robust, or PI. */
export function isOwnersOnly({ operation, words }: FutexFacts): boolean {
  if (operation === 'lock-pi') return true;
  // A rwlock has a thread where a mutex has its kind.
  if (operation !== 'wait' || isAbsent(words)) return false;
  const kind = words[4] ?? 0;
  return (kind & robustKind) !== 0 || (kind & 3) === 1 || (kind & 3) === 2;
}

/** rwlock waiters sleep 8 bytes into the struct, whose writer stands 24 bytes into it. A hint, not a proof. */
function rwlockWriter(process: ProcessFacts, futex: FutexFacts): Owner {
  const { words, operation } = futex;
  if (operation !== 'wait-bitset' || !futex.private || isAbsent(words) || (words[0] ?? 0) > 3) return null;
  return threadByInnerTid([process], words[4] ?? 0, 'mutex');
}

/** Owner of a lock that several processes share; its id counts in the waiter's pid namespace. */
function sharedOwner(view: View, task: Task, futex: FutexFacts): Owner {
  const { words } = futex;
  if (futex.private || isAbsent(words)) return null;
  const [word = 0, , owner = 0, users = 0, kind = 0] = words;
  const inWord = (futex.expected & 0x80000000) !== 0 || futex.operation === 'lock-pi' ? word & tidMask : 0;
  const inStruct =
    word === 2 && futex.expected === 2 && users >= 1 && (kind & processSharedKind) !== 0 ? owner : 0;
  const inner = inWord || inStruct;
  if (inner < tidMin) return null;
  const mappers = view.snapshot.processes.filter(
    (process) => process === task.process || process.sharedMappings.includes(futex.mapping ?? ''),
  );
  return threadByInnerTid(mappers, inner, 'mutex');
}

/**
 * Processes beside the owner that may release a lock in shared memory: glibc lets every thread unlock one of the normal
 * kind.
 */
export function mayReleaseToo(view: View, task: Task, futex: FutexFacts): readonly number[] {
  const { mapping } = futex;
  if (mapping === null || isOwnersOnly(futex) || sharedOwner(view, task, futex) === null) return [];
  return view.mappers(mapping);
}

/** The processes that have this memory, in the order of the snapshot: all waiters share one list. */
function mappersOf(view: View, process: ProcessFacts, mapping: string): readonly number[] {
  if (process.sharedMappings.includes(mapping)) return view.mappers(mapping);
  const mappers = new Set(view.mappers(mapping));
  return view.snapshot.processes
    .filter(({ pid }) => pid === process.pid || mappers.has(pid))
    .map(({ pid }) => pid);
}

/** The threads that can wake a futex: its owner if memory names one, else every thread that can reach the address. */
export function futexWakers(view: View, task: Task, futex: FutexFacts): Waker[] {
  const { process } = task;
  const owner = ownerOf(view, process, futex) ?? sharedOwner(view, task, futex);
  if (owner !== null) return 'gone' in owner ? [] : [{ to: 'thread', ...owner }];
  const { mapping } = futex;
  const reach =
    futex.private || mapping === null
      ? memoryGroup(view, process).map(({ pid }) => pid)
      : mappersOf(view, process, mapping);
  const edges = toProcesses(reach, 'futex');
  const writer = rwlockWriter(process, futex);
  return writer !== null && 'tid' in writer ? [{ to: 'thread', ...writer }, ...edges] : edges;
}
