import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';

/** null: not all bytes can be read. */
export function bytesAt(memory: Memory, address: bigint, length: number): Buffer | null {
  const bytes = memory.readWhole(address, length);
  return isAbsent(bytes) ? null : bytes;
}

export function wordAt(memory: Memory, address: bigint): bigint | null {
  return bytesAt(memory, address, 8)?.readBigUInt64LE(0) ?? null;
}

export function uint32At(memory: Memory, address: bigint): number | null {
  return bytesAt(memory, address, 4)?.readUInt32LE(0) ?? null;
}

const pageBytes = 4096n;
const textPages = 2;

/** Short texts that lie close together: a few reads for hundreds of them. */
export class Texts {
  readonly #memory: Memory;
  readonly #pages = new Map<bigint, Buffer | null>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The text up to its zero byte; null: not readable, or not a text. */
  at(address: bigint): string | null {
    let page = address - (address % pageBytes);
    let from = Number(address - page);
    const parts: Buffer[] = [];
    for (let count = 0; count < textPages; count += 1) {
      const bytes = this.#page(page);
      if (bytes === null) return null;
      const end = bytes.indexOf(0, from);
      parts.push(bytes.subarray(from, end < 0 ? bytes.length : end));
      if (end >= 0) return Buffer.concat(parts).toString('latin1');
      page += pageBytes;
      from = 0;
    }
    return null;
  }

  #page(address: bigint): Buffer | null {
    const known = this.#pages.get(address);
    if (known !== undefined) return known;
    const bytes = bytesAt(this.#memory, address, Number(pageBytes));
    this.#pages.set(address, bytes);
    return bytes;
  }
}
