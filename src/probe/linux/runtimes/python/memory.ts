import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { failed, pointerAt } from '../go/memory.js';
import type { LoadedPython, PythonLayout } from './layout.js';

const nameCharsMax = 40;
const textCharsMax = 1024;
/** Fields of an object: its reference count and its type; of a type: its name. The same in every version. */
const object = { references: 0, type: 8 } as const;
const typeName = 24;
/** Fields of a `str`: its length, and bits that show how it is stored, above those that show whether it is interned. */
const text = { length: 16, state: 32, kindShift: 2 } as const;

const pageBytes = 4096;
const pagesMax = 4096;

const isAddress = (address: number): boolean => address > 0 && address < 2 ** 47;

/** The memory of a Python program, read word by word. A word that cannot be read is 0, which is no address. */
export class PythonMemory {
  readonly #memory: Memory;
  readonly #layout: PythonLayout;
  readonly #pages = new Map<number, Buffer | null>();
  readonly #types = new Map<number, string>();
  readonly #texts = new Map<number, string | null>();

  constructor(memory: Memory, layout: PythonLayout) {
    this.#memory = memory;
    this.#layout = layout;
  }

  /** The same memory, with nothing of what was read so far. */
  again(): PythonMemory {
    return new PythonMemory(this.#memory, this.#layout);
  }

  /** null: not all of it can be read. */
  bytes(address: number, length: number): Buffer | null {
    const bytes = this.#read(address, length);
    return bytes === null || bytes.length < length ? null : bytes;
  }

  /** As many of the words as can be read. */
  words(address: number, count: number): number[] {
    const bytes = this.#read(address, count * 8);
    if (bytes === null) return [];
    return Array.from({ length: bytes.length >> 3 }, (_, index) => pointerAt(bytes, index * 8));
  }

  word(address: number): number {
    const at = address % pageBytes;
    if (at > pageBytes - 8 || !isAddress(address)) return this.words(address, 1)[0] ?? 0;
    const page = this.#page(address - at);
    return page === null ? 0 : pointerAt(page, at);
  }

  /** As many of the bytes as can be read. Objects lie close together: their pages are read once. */
  #read(address: number, length: number): Buffer | null {
    if (!isAddress(address)) return null;
    if (length > pageBytes) {
      const bytes = this.#memory.read(BigInt(address), length);
      return isAbsent(bytes) ? null : bytes;
    }
    const at = address % pageBytes;
    const page = this.#page(address - at);
    if (page === null || at + length <= pageBytes) return page?.subarray(at, at + length) ?? null;
    const next = this.#page(address - at + pageBytes)?.subarray(0, at + length - pageBytes);
    return next === undefined ? page.subarray(at) : Buffer.concat([page.subarray(at), next]);
  }

  #page(address: number): Buffer | null {
    const known = this.#pages.get(address);
    if (known !== undefined) return known;
    if (this.#pages.size === pagesMax) this.#pages.clear();
    // Nothing is mapped at 0, and Memory takes that address for a null pointer.
    const bytes = address === 0 ? failed : this.#memory.readWhole(BigInt(address), pageBytes);
    const page = isAbsent(bytes) ? null : bytes;
    this.#pages.set(address, page);
    return page;
  }

  /** A field of a structure; 0: the structure is not there. */
  field(address: number, offset: number): number {
    return address === 0 ? 0 : this.word(address + offset);
  }

  uint32(address: number): number | null {
    return this.bytes(address, 4)?.readUInt32LE(0) ?? null;
  }

  /** A list of structures: each has the address of the next. */
  list(first: number, next: number, max: number): number[] {
    const addresses: number[] = [];
    for (let address = first; address !== 0 && addresses.length < max; address = this.field(address, next))
      addresses.push(address);
    return addresses;
  }

  /** A short name as C stores it. */
  name(address: number): string {
    const bytes = this.#read(address, nameCharsMax);
    if (bytes === null) return '';
    const end = bytes.indexOf(0);
    return end < 0 ? '' : bytes.toString('latin1', 0, end);
  }

  /** The name of the type of an object; empty: no live object. */
  typeOf(address: number): string {
    if (address % 8 !== 0 || address < 4096) return '';
    const type = this.word(address + object.type);
    if (type % 8 !== 0 || this.word(address + object.references) === 0) return '';
    const known = this.#types.get(type) ?? this.name(this.word(type + typeName));
    this.#types.set(type, known);
    return known;
  }

  /** A `str` in its compact form; null: not a `str`, or too long to be a name. */
  text(address: number): string | null {
    const known = this.#texts.get(address);
    if (known !== undefined) return known;
    const found = this.#readText(address);
    this.#texts.set(address, found);
    return found;
  }

  #readText(address: number): string | null {
    const length = this.field(address, text.length);
    const state = address === 0 ? null : this.uint32(address + text.state);
    if (state === null || length <= 0 || length > textCharsMax) return null;
    const flags = state >>> text.kindShift;
    const kind = flags & 7;
    const isCompact = (flags & 8) !== 0;
    const isAscii = (flags & 16) !== 0;
    if (!isCompact || (kind !== 1 && kind !== 2 && kind !== 4)) return null;
    const { ascii, compact } = this.#layout.text;
    const bytes = this.bytes(address + (isAscii ? ascii : compact), length * kind);
    if (bytes === null) return null;
    if (kind === 1) return bytes.toString('latin1');
    if (kind === 2) return bytes.toString('utf16le');
    const points = Array.from({ length }, (_, index) => bytes.readUInt32LE(index * 4));
    return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
  }
}

const interpretersMax = 16;
const threadsMax = 256;
const chunksMax = 64;
/** A piece of the interpreter's own stack: the previous piece, its size, then its words. */
const chunk = { before: 0, size: 8, first: 24 } as const;

/** A thread as the interpreter records it. */
interface PythonThread {
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
