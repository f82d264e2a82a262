import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { readAll } from './memory.js';

/** Memory begins and ends at pages of the kernel: of a larger piece, the first half may not exist. */
const pageBytes = 4096;
/** Limit of the memory that is searched for one snapshot of one program. */
const pagesMax = 8192;

/** Memory in pages, each read once: a graph of objects is followed word by word. */
export class GoPages {
  readonly #memory: Memory;
  readonly #pages = new Map<number, Buffer | null>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The limit is reached: not everything was read. */
  get isSpent(): boolean {
    return this.#pages.size >= pagesMax;
  }

  /** null: not readable. */
  word(address: number): number | null {
    const offset = address % pageBytes;
    const page = this.#page(address - offset);
    if (page === null || offset + 8 > page.length) return null;
    return page.readUInt32LE(offset) + page.readUInt32LE(offset + 4) * 2 ** 32;
  }

  /** The words of a range; it is shorter where memory ends or the limit is reached. */
  words(from: number, to: number): Float64Array {
    const found = new Float64Array(Math.max(0, Math.floor((to - from) / 8)));
    let at = from;
    for (let count = 0; count < found.length; ) {
      const offset = at % pageBytes;
      const page = this.#page(at - offset);
      if (page === null) return found.subarray(0, count);
      for (let next = offset; next + 8 <= page.length && count < found.length; next += 8) {
        found[count] = page.readUInt32LE(next) + page.readUInt32LE(next + 4) * 2 ** 32;
        count += 1;
      }
      at += page.length - offset;
    }
    return found;
  }

  /** A short range, from pages that may be needed again; null: not readable. */
  piece(address: number, length: number): Buffer | null {
    const parts: Buffer[] = [];
    for (let at = address; at < address + length; ) {
      const offset = at % pageBytes;
      const part = this.#page(at - offset)?.subarray(offset, offset + address + length - at);
      if (part === undefined || part.length === 0) return null;
      parts.push(part);
      at += part.length;
    }
    return Buffer.concat(parts);
  }

  bytes(address: number, length: number): Buffer | null {
    const bytes = readAll(this.#memory, address, length);
    return isAbsent(bytes) ? null : bytes;
  }

  #page(start: number): Buffer | null {
    const known = this.#pages.get(start);
    if (known !== undefined) return known;
    if (this.isSpent || start <= 0) return null;
    const bytes = readAll(this.#memory, start, pageBytes);
    const page = isAbsent(bytes) ? null : bytes;
    this.#pages.set(start, page);
    return page;
  }
}
