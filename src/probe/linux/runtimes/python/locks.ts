import { isAbsent } from '../../../../model/facts/absence.js';
import type { MonitorFacts } from '../../../../model/facts/monitors.js';
import type { ThreadFacts } from '../../../../model/facts/snapshot.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import type { CpuBudget } from '../cpu-budget.js';
import { slotsOfManager } from './context-managers.js';
import { findPython, type PythonLayout } from './layout.js';
import { PythonMemory, readPythonThreads, readSlots } from './memory.js';

/** The waiting call lies within this many words of the end of the stack. */
const waitWords = 512;
const waitersMax = 64;
const searchBytesMax = 96 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
/** `7f3c1a000000-7f3c1a021000 rw-p …` */
const writable = /^([0-9a-f]+)-([0-9a-f]+) rw/gm;

const lockType = '_thread.lock';
const recursiveType = '_thread.RLock';
/** Fields of a lock: the semaphore, then the owner of a recursive lock, else whether it is locked. */
const lock = { semaphore: 16, owner: 24, locked: 32 } as const;
/** A method of a builtin type that is bound to an object: its description, and the object. */
const method = { description: 16, self: 24 } as const;
const methodType = 'builtin_function_or_method';
/** Every name under which a lock can be released by hand. */
const releases: ReadonlySet<string> = new Set(['release', 'release_lock']);
/** Code may also call the end of a `with` itself. */
const releasingNames: ReadonlySet<string> = new Set([...releases, '__exit__']);
const tuple = { length: 16, first: 24 } as const;
const namesMax = 256;
/** This many words of the record of a thread are searched. */
const recordWords = 64;
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

/** A thread of the interpreter, with all words of its frames. */
interface KnownThread {
  tid: number;
  record: number;
  slots: number[];
}

/** Everything that is known of a program. */
interface Program {
  memory: PythonMemory;
  layout: PythonLayout;
  threads: KnownThread[];
  waiters: readonly LockWaiter[];
  holders: Holders;
  /** Both are searched for once, when they are needed. */
  endings: () => Map<number, number>;
  releasable: () => Set<number> | null;
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
  // Reading how much CPU was used takes longer than to see that there is nothing to do.
  if (threads.length < 2) return new Map();
  return budget.spend(() => findOwners(dir, memory, threads)) ?? new Map();
}

function findOwners(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
): Map<number, MonitorFacts> {
  const found = new Map<number, MonitorFacts>();
  const waiting = waitersAmong(dir, threads);
  const python = waiting.length < 2 ? null : findPython(dir, memory);
  if (python === null) return found;
  const { layout } = python;
  const words = new PythonMemory(memory, layout);
  const waiters = waiting.flatMap((waiter) => lockOf(words, waiter));
  const inner = new Set(threads.map(({ namespaceTid }) => namespaceTid));
  const records = waiters.length < 2 ? null : readPythonThreads(words, python, inner);
  if (records === null) return found;
  const known: KnownThread[] = [];
  for (const { tid, record } of records) {
    const slots = readSlots(words, layout, record);
    if (slots === null) return found;
    known.push({ tid, record, slots });
  }
  let releasable: Set<number> | null | undefined;
  let endings: Map<number, number> | undefined;
  const program: Program = {
    ...{ memory: words, layout, threads: known, waiters, holders: holdersIn(words, layout, known) },
    endings: () => {
      endings ??= endingsIn(words, known);
      return endings;
    },
    releasable: () => {
      const stacks = threads.map(({ tid }) => stackPointer(dir, tid));
      if (releasable === undefined) releasable = findReleasable(dir, words, waiters, stacks);
      return releasable;
    },
  };
  const tids = new Map(threads.map(({ tid, namespaceTid }) => [namespaceTid, tid]));
  for (const waiter of waiters) {
    const owner = ownerOf(program, waiter);
    const tid = owner === null ? undefined : tids.get(owner.tid);
    if (owner === null || tid === undefined || tid === waiter.tid) continue;
    found.set(waiter.tid, { address: `0x${waiter.lock.toString(16)}`, owner: tid, type: owner.type });
  }
  return found;
}

function waitersAmong(dir: ProcDir, threads: readonly ThreadFacts[]): Waiter[] {
  const waiting: Waiter[] = [];
  for (const thread of threads) {
    if (waiting.length === waitersMax) break;
    waiting.push(...waiterOf(dir, thread));
  }
  return waiting;
}

function waiterOf(dir: ProcDir, { tid, namespaceTid, call }: ThreadFacts): Waiter[] {
  if (isAbsent(call) || call.at !== 'call' || call.futex === undefined || !call.futex.private) return [];
  if (call.timeout === undefined || isAbsent(call.timeout) || call.timeout.ms !== null) return [];
  const sp = stackPointer(dir, tid);
  return sp === 0 ? [] : [{ tid, namespaceTid, sp, semaphore: Number(call.futex.address) }];
}

/** 0: the thread runs. */
function stackPointer(dir: ProcDir, tid: number): number {
  const line = dir.text(`task/${tid}/syscall`);
  // Call, six arguments, stack pointer, place in the code.
  return isAbsent(line) ? 0 : Number(line.trim().split(' ')[7] ?? 0);
}

/** The lock object lies on the stack of the thread that waits for it. */
function lockOf(python: PythonMemory, waiter: Waiter): LockWaiter[] {
  for (const word of new Set(python.words(waiter.sp, waitWords))) {
    if (word % 8 !== 0 || python.word(word + lock.semaphore) !== waiter.semaphore) continue;
    const type = python.typeOf(word);
    if (type === lockType || type === recursiveType) return [{ ...waiter, lock: word, type }];
  }
  return [];
}

/** Threads that are in `with lock:`, by lock; a thread that waits to get in is among them. */
type Holders = Map<number, Set<number>>;

function holdersIn(python: PythonMemory, layout: PythonLayout, threads: readonly KnownThread[]): Holders {
  const holders: Holders = new Map();
  const note = (slot: number, tid: number): boolean => {
    if (methodName(python, slot) !== '__exit__') return false;
    const self = python.word(slot + method.self);
    // Several slots of a frame may refer to the same method.
    holders.set(self, (holders.get(self) ?? new Set()).add(tid));
    return true;
  };
  // Threads that do the same have the same objects in their frames.
  const others = new Set<number>();
  for (const { tid, slots } of threads) {
    for (const slot of slots) {
      if (others.has(slot)) continue;
      const inner = slotsOfManager(python, layout, slot);
      if (!note(slot, tid) && inner.length === 0) others.add(slot);
      for (const one of inner) note(one, tid);
    }
  }
  return holders;
}

function methodName(python: PythonMemory, address: number): string {
  if (python.typeOf(address) !== methodType) return '';
  return python.name(python.word(python.word(address + method.description)));
}

function ownerOf(program: Program, waiter: LockWaiter): { tid: number; type: MonitorFacts['type'] } | null {
  const { memory, layout, threads, waiters, holders } = program;
  if (waiter.type === recursiveType) {
    const ident = memory.word(waiter.lock + lock.owner);
    const owner = threads.find(({ record }) => memory.word(record + layout.thread.ident) === ident);
    return owner === undefined ? null : { tid: owner.tid, type: 'threading.RLock' };
  }
  const ending = program.endings().get(waiter.lock);
  if (ending !== undefined) return { tid: ending, type: 'threading.Thread' };
  const waiting = new Set(
    waiters.filter((other) => other.lock === waiter.lock).map(({ namespaceTid }) => namespaceTid),
  );
  const inside = [...(holders.get(waiter.lock) ?? [])].filter((tid) => !waiting.has(tid));
  const [owner, ...others] = inside;
  const isLocked = memory.word(waiter.lock + lock.locked) % 256 === 1;
  // A stack slot that is no longer used may name a lock that another thread has by now: then there are two.
  if (owner === undefined || others.length > 0 || !isLocked) return null;
  const free = threads.filter(({ tid }) => !waiters.some(({ namespaceTid }) => namespaceTid === tid));
  if (free.some(({ slots }) => slots.some((slot) => namesRelease(memory, layout, slot)))) return null;
  const releasable = program.releasable();
  if (releasable === null || releasable.has(waiter.lock)) return null;
  return { tid: owner, type: 'threading.Lock' };
}

/** The locks that threads release when they end, as their records refer to them weakly: which thread releases which. */
function endingsIn(memory: PythonMemory, threads: readonly KnownThread[]): Map<number, number> {
  const endings = new Map<number, number>();
  const others = new Set<number>();
  for (const { tid, record } of threads)
    for (const word of memory.words(record, recordWords)) {
      if (others.has(word)) continue;
      if (!reference.type.test(memory.typeOf(word))) {
        others.add(word);
        continue;
      }
      const target = memory.word(word + reference.to);
      if (!endings.has(target)) endings.set(target, tid);
    }
  return endings;
}

/** Whether this is the code of a function that calls a `release`: which lock it releases is not known. */
function namesRelease(memory: PythonMemory, { code }: PythonLayout, address: number): boolean {
  if (memory.typeOf(address) !== 'code') return false;
  const names = memory.word(address + code.names);
  const length = Math.min(memory.field(names, tuple.length), namesMax);
  return memory
    .words(names + tuple.first, length)
    .some((name) => releasingNames.has(memory.text(name) ?? ''));
}

/**
 * Locks whose `release` is stored somewhere, to be called by another thread, as a timer does; null: not known. Objects
 * lie in writable memory, but not on the stack of a thread.
 */
function findReleasable(
  dir: ProcDir,
  memory: PythonMemory,
  waiters: readonly LockWaiter[],
  stacks: readonly number[],
): Set<number> | null {
  const maps = dir.text('maps');
  if (isAbsent(maps)) return null;
  const ranges = [...maps.matchAll(writable)]
    .map(([, from = '', to = '']) => ({ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }))
    .filter(({ from, to }) => !stacks.some((sp) => sp >= from && sp < to));
  if (ranges.reduce((sum, { from, to }) => sum + to - from, 0) > searchBytesMax) return null;
  const found = new Set<number>();
  // What was read before may have changed since.
  const now = memory.again();
  const locks = [...new Set(waiters.map(({ lock: address }) => address))];
  for (const { from, to } of ranges)
    for (let start = from; start < to; start += pieceBytes) {
      const bytes = now.bytes(start, Math.min(pieceBytes, to - start)) ?? Buffer.alloc(0);
      for (const address of locks)
        if (wordsIn(bytes, address).some((at) => releases.has(methodName(now, start + at - method.self))))
          found.add(address);
    }
  return found;
}

/** Where a word lies in these bytes. */
function wordsIn(bytes: Buffer, word: number): number[] {
  const wanted = Buffer.alloc(8);
  wanted.writeBigUInt64LE(BigInt(word));
  const places: number[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (at % 8 === 0) places.push(at);
  return places;
}
