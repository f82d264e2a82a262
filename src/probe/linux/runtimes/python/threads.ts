import type { LoadedPython, PythonLayout } from './layout.js';
import type { PythonMemory } from './memory.js';

const interpretersMax = 16;
const threadsMax = 256;
const chunksMax = 64;
/** A piece of the interpreter's own stack: the previous piece, its size, then its words. */
const chunk = { before: 0, size: 8, first: 24 } as const;

/** A thread as the interpreter records it. */
export interface PythonThread {
  /** Address of the record. */
  record: number;
  /** The id of the kernel, in the program's own pid namespace. */
  tid: number;
}

/** All threads of all interpreters; null: not found, or one of them is none that the kernel lists. */
export function readPythonThreads(
  memory: PythonMemory,
  { layout, runtime }: LoadedPython,
  tids: ReadonlySet<number>,
): PythonThread[] | null {
  const { interpretersHead, interpreter, thread } = layout;
  const heads = memory.list(memory.field(runtime, interpretersHead), interpreter.next, interpretersMax);
  const records = heads.flatMap((head) =>
    memory.list(memory.field(head, interpreter.threadsHead), thread.next, threadsMax),
  );
  const threads = records.map((record) => ({ record, tid: memory.field(record, thread.nativeId) }));
  return threads.length > 0 && threads.every(({ tid }) => tids.has(tid)) ? threads : null;
}

/** All words of the Python frames of a thread, including words that are no longer used; null: not all of them. */
export function readSlots(memory: PythonMemory, { thread }: PythonLayout, record: number): number[] | null {
  const slots: number[] = [];
  let [piece = 0, top = 0] = memory.words(record + thread.chunk, 2);
  for (let count = 0; piece > 0; count += 1) {
    const size = memory.word(piece + chunk.size);
    if (size === 0 || top < piece || top > piece + size || count === chunksMax) return null;
    const length = (top - piece - chunk.first) >> 3;
    const words = memory.words(piece + chunk.first, length);
    if (words.length < length) return null;
    slots.push(...words);
    piece = memory.word(piece + chunk.before);
    // In an earlier piece all words may be in use.
    top = piece === 0 ? 0 : piece + memory.word(piece + chunk.size);
  }
  return slots;
}
