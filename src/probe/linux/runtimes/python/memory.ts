import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { pointerAt } from '../go/memory.js';

/** `7f3c1a000000-7f3c1a021000 rw-p …` */
const writable = /^([0-9a-f]+)-([0-9a-f]+) rw/gm;
const nameCharsMax = 40;
/** A multiple of a page, so that no word lies across two pieces. */
const pieceBytes = 1024 * 1024;
/** Fields of an object: its reference count and its type; of a type: its name. The same in every version. */
const object = { references: 0, type: 8 } as const;
const typeName = 24;

/** The memory of a Python program, read word by word. A word that cannot be read is 0, which is no address. */
export class PythonMemory {
  readonly #memory: Memory;
  readonly ranges: { from: number; to: number }[];
  readonly #names = new Map<number, string>();

  constructor(memory: Memory, maps: string) {
    this.#memory = memory;
    this.ranges = [...maps.matchAll(writable)].map(([, from = '', to = '']) => ({
      from: Number.parseInt(from, 16),
      to: Number.parseInt(to, 16),
    }));
  }

  rangeOf(address: number): { from: number; to: number } | undefined {
    return this.ranges.find(({ from, to }) => address >= from && address < to);
  }

  words(address: number, count: number): number[] {
    const bytes = address > 0 && address < 2 ** 47 ? this.#memory.read(BigInt(address), count * 8) : null;
    if (bytes === null || isAbsent(bytes)) return [];
    return Array.from({ length: bytes.length >> 3 }, (_, index) => pointerAt(bytes, index * 8));
  }

  word(address: number): number {
    return this.words(address, 1)[0] ?? 0;
  }

  text(address: number): string {
    const bytes = address > 0 && address < 2 ** 47 ? this.#memory.read(BigInt(address), nameCharsMax) : null;
    if (bytes === null || isAbsent(bytes)) return '';
    const end = bytes.indexOf(0);
    return end < 0 ? '' : bytes.toString('latin1', 0, end);
  }

  /** The name of the type of an object; empty: no live object. */
  typeOf(address: number): string {
    if (address % 8 !== 0 || this.rangeOf(address) === undefined) return '';
    const [references = 0, type = 0] = this.words(address + object.references, 2);
    if (references === 0 || type % 8 !== 0) return '';
    const known = this.#names.get(type) ?? this.text(this.word(type + typeName));
    this.#names.set(type, known);
    return known;
  }

  /**
   * Where each of these words lies in writable memory; null: there is more memory than the limit. It is read once for
   * all words, a piece at a time.
   */
  find(words: readonly number[], bytesMax: number): Map<number, number[]> | null {
    const total = this.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    if (total > bytesMax) return null;
    const places = new Map<number, number[]>(words.map((word) => [word, []]));
    for (const { from, to } of this.ranges) {
      for (let at = from; at < to; at += pieceBytes) {
        const bytes = this.#memory.read(BigInt(at), Math.min(pieceBytes, to - at));
        if (isAbsent(bytes)) continue;
        for (const [word, found] of places)
          for (const offset of offsetsOf(bytes, word)) found.push(at + offset);
      }
    }
    return places;
  }
}

function* offsetsOf(bytes: Buffer, word: number): Generator<number> {
  const wanted = Buffer.alloc(8);
  wanted.writeBigUInt64LE(BigInt(word));
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    if (at % 8 === 0) yield at;
}
