import { isAbsent } from '../../model/absence.js';
import type { FutexFacts, ProcessFacts } from '../../model/snapshot.js';
import type { Task, View } from '../view.js';
import type { Waker } from '../waker.js';

/** Owner of a lock as far as its memory proves it. `gone`: that thread no longer exists. */
export type Owner = { tid: number; via: 'mutex' | 'join' } | { gone: number } | null;

const tidMask = 0x3fffffff;
const processSharedKind = 128;
/** Kind 0 to 3 (normal, recursive, error-checking, adaptive), with or without the lock-elision flags. */
const plainKinds = new Set([0, 1, 2, 3].flatMap((kind) => [kind, kind | 0x100, kind | 0x200]));
/** No thread of a user's program has a smaller id; a small number is somebody else's data. */
const tidMin = 100;

/** Thread ids in memory are those of the process's own pid namespace. */
function threadByInnerTid(process: ProcessFacts, inner: number): number | null {
  return process.threads.find((thread) => thread.namespaceTid === inner)?.tid ?? null;
}

/** pthread_join waits on the thread's own tid word, which the kernel clears and wakes when the thread ends. */
function joined(process: ProcessFacts, futex: FutexFacts, words: readonly number[]): Owner {
  if (futex.private || words[0] !== futex.expected) return null;
  const tid = threadByInnerTid(process, futex.expected);
  return tid === null ? null : { tid, via: 'join' };
}

/**
 * glibc's struct: lock word, count, owner, users, kind, then zeros. All of it must fit: Rust, Go and hand-made
 * locks use the same word, and what stands behind theirs is data that could look like an owner.
 */
function glibcMutex(process: ProcessFacts, futex: FutexFacts, words: readonly number[]): Owner {
  const [word = 0, count = 0, owner = 0, users = 0, kind = 0, ...rest] = words;
  if (futex.operation !== 'wait' || !futex.private || futex.expected !== 2 || word !== 2) return null;
  if (users !== 1 || !plainKinds.has(kind) || rest.slice(0, 3).some((value) => value !== 0)) return null;
  if (process.runtime === 'go' || (count !== 0) !== ((kind & 3) === 1)) return null;
  const tid = threadByInnerTid(process, owner);
  if (tid !== null) return { tid, via: 'mutex' };
  // Nobody outside this address space can release a private lock: its owner is gone for good.
  return owner >= tidMin && owner <= tidMask ? { gone: owner } : null;
}

/** Robust, priority-inheriting and musl's locks keep the owner in the word itself. */
function ownerInWord(process: ProcessFacts, futex: FutexFacts, words: readonly number[]): Owner {
  const word = words[0] ?? 0;
  const isWaited =
    futex.operation === 'wait' && (futex.expected & 0x80000000) !== 0 && futex.expected >>> 0 === word >>> 0;
  if (futex.operation !== 'lock-pi' && !isWaited) return null;
  // In a container ids are as small as the counters other locks (Rust's) keep in their word.
  const tid = (word & tidMask) < tidMin ? null : threadByInnerTid(process, word & tidMask);
  return tid === null ? null : { tid, via: 'mutex' };
}

export function ownerOf(process: ProcessFacts, futex: FutexFacts): Owner {
  const { words } = futex;
  if (isAbsent(words) || words.length < 5) return null;
  return (
    joined(process, futex, words) ?? glibcMutex(process, futex, words) ?? ownerInWord(process, futex, words)
  );
}

/** rwlock waiters sleep 8 bytes into the struct, whose writer stands 24 bytes into it. A hint, not a proof. */
function rwlockWriter(
  process: ProcessFacts,
  { words, operation, private: isPrivate }: FutexFacts,
): number | null {
  if (operation !== 'wait-bitset' || !isPrivate || isAbsent(words) || (words[0] ?? 0) > 3) return null;
  return threadByInnerTid(process, words[4] ?? 0);
}

/** Owner of a lock that several processes share; its id counts in the waiter's pid namespace. */
function sharedOwner(view: View, task: Task, futex: FutexFacts): number | null {
  const { words } = futex;
  if (futex.private || isAbsent(words)) return null;
  const [word = 0, , owner = 0, users = 0, kind = 0] = words;
  const inWord = (futex.expected & 0x80000000) !== 0 || futex.operation === 'lock-pi' ? word & tidMask : 0;
  const inStruct =
    word === 2 && futex.expected === 2 && users >= 1 && (kind & processSharedKind) !== 0 ? owner : 0;
  const inner = inWord || inStruct;
  if (inner === 0) return null;
  for (const process of view.snapshot.processes) {
    if (!process.sharedMappings.includes(futex.mapping ?? '') && process !== task.process) continue;
    const tid = threadByInnerTid(process, inner);
    if (tid !== null) return tid;
  }
  return null;
}

/** Who can wake a futex: its owner if memory names one, else every thread that can reach the address. */
export function futexWakers(view: View, task: Task, futex: FutexFacts): Waker[] {
  const { process } = task;
  const owner = ownerOf(process, futex);
  if (owner !== null && 'tid' in owner)
    return [{ to: 'thread', pid: process.pid, tid: owner.tid, via: owner.via }];
  if (owner !== null) return [];
  const shared = sharedOwner(view, task, futex);
  const holder =
    shared === null
      ? undefined
      : view.snapshot.processes.find((other) => other.threads.some(({ tid }) => tid === shared));
  if (shared !== null && holder !== undefined)
    return [{ to: 'thread', pid: holder.pid, tid: shared, via: 'mutex' }];
  if (futex.private || futex.mapping === null) {
    const writer = rwlockWriter(process, futex);
    const named: Waker[] =
      writer === null ? [] : [{ to: 'thread', pid: process.pid, tid: writer, via: 'mutex' }];
    return [...named, { to: 'process', pid: process.pid, via: 'futex' }];
  }
  const mapping = futex.mapping;
  const mappers = view.snapshot.processes.filter(
    (other) => other.sharedMappings.includes(mapping) || other === process,
  );
  return mappers.map(({ pid }) => ({ to: 'process', pid, via: 'futex' }));
}
