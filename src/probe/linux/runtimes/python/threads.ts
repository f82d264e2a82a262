import type { PythonMemory } from './memory.js';

/** This much of a thread's stack is searched for the interpreter's record of it. */
const stackWords = 4096;
/** This many words of the record of a thread are read. */
const recordWords = 64;
const threadsMax = 256;
const chunksMax = 64;
/** A piece of the interpreter's own stack: the previous piece, its size, then its words. */
const chunk = { before: 0, size: 1, first: 24 } as const;

/** A thread as the interpreter records it. */
export interface PythonThread {
  /** The id of the kernel, in the program's own pid namespace. */
  tid: number;
  /** The id of the C library. */
  ident: number;
  record: number[];
  /** All words of its Python frames, including words that are no longer used. */
  slots: number[];
}

interface Layout {
  tid: number;
  chunk: number;
}

/** Where the fields lie, proven by the record itself: the thread's id, then a piece of stack that describes itself. */
function layoutOf(memory: PythonMemory, record: readonly number[], tid: number): Layout | null {
  const at = record.indexOf(tid, 3);
  if (at < 0 || memory.rangeOf(record[at - 1] ?? 0) === undefined) return null;
  for (let place = at + 1; place + 2 < record.length; place += 1) {
    const [start = 0, top = 0, limit = 0] = record.slice(place, place + 3);
    if (start < 4096 || top <= start || limit < top || start % 4096 !== 0) continue;
    if (memory.words(start, 2)[chunk.size] === limit - start) return { tid: at, chunk: place };
  }
  return null;
}

/** The record of a thread that sleeps with its stack at `sp`, and how records are laid out; null: not found. */
function findRecord(
  memory: PythonMemory,
  sp: number,
  tid: number,
): { address: number; layout: Layout } | null {
  const counts = new Map<number, number>();
  const range = memory.rangeOf(sp);
  const length = Math.min(stackWords, range === undefined ? 0 : (range.to - sp) >> 3);
  for (const word of memory.words(sp, length))
    if (word % 8 === 0 && word > 4096 && (word < sp || word > sp + length * 8))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  // The record is passed from call to call: it is among the most frequent words.
  for (const [address] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (memory.rangeOf(address) === undefined) continue;
    const layout = layoutOf(memory, memory.words(address, recordWords), tid);
    if (layout !== null) return { address, layout };
  }
  return null;
}

function readThread(memory: PythonMemory, address: number, layout: Layout): PythonThread | null {
  const record = memory.words(address, recordWords);
  const tid = record[layout.tid] ?? 0;
  if (tid <= 0 || tid >= 2 ** 32) return null;
  const slots: number[] = [];
  let piece = record[layout.chunk] ?? 0;
  let top = record[layout.chunk + 1] ?? 0;
  for (let count = 0; piece > 0 && count < chunksMax; count += 1) {
    const [before = 0, size = 0] = memory.words(piece, 2);
    if (size === 0 || top < piece || top > piece + size) return null;
    slots.push(...memory.words(piece + chunk.first, (top - piece - chunk.first) >> 3));
    piece = before;
    // In an earlier piece all words may be in use.
    top = before === 0 ? 0 : before + (memory.words(before, 2)[chunk.size] ?? 0);
  }
  return { tid, ident: record[layout.tid - 1] ?? 0, record, slots };
}

/** All threads of the interpreter, starting from a thread that sleeps; null: not found, or not all of them. */
export function readPythonThreads(memory: PythonMemory, sp: number, tid: number): PythonThread[] | null {
  const first = findRecord(memory, sp, tid);
  if (first === null) return null;
  const threads: PythonThread[] = [];
  const seen = new Set<number>();
  const queue = [first.address];
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const thread = readThread(memory, address, first.layout);
    if (thread === null || seen.size > threadsMax) return null;
    threads.push(thread);
    // The records before and after it in the interpreter's list.
    for (const next of thread.record.slice(0, 2)) if (next !== 0) queue.push(next);
  }
  return threads;
}
