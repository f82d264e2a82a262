import { isAbsent } from '../../../model/facts/absence.js';
import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import { pointerAt, readAll } from '../../linux/runtimes/go/memory.js';

/** Go 1.18 and 1.20: the header of the table has the same fields since. */
const magics: ReadonlySet<number> = new Set([0xffff_fff0, 0xffff_fff1]);
const headBytes = 72;
const functionsMax = 2_000_000;
const nameBytesMax = 512;
/** Limit of a table of values: enough for a function of thousands of lines. */
const valueBytesMax = 8 * 1024;

interface Head {
  start: number;
  step: number;
  functions: number;
  textStart: number;
  names: number;
  units: number;
  files: number;
  values: number;
  entries: number;
}

/** The runtime's own table of functions and lines (`pclntab`), which even stripped programs have. */
export class GoTable {
  readonly #memory: Memory;
  readonly #head: Head;

  private constructor(memory: Memory, head: Head) {
    this.#memory = memory;
    this.#head = head;
  }

  /** null: no table, or a table of an unknown version. */
  static at(memory: Memory, start: number): GoTable | null {
    const bytes = readAll(memory, start, headBytes);
    if (isAbsent(bytes) || !magics.has(bytes.readUInt32LE(0)) || bytes[7] !== 8) return null;
    const field = (index: number): number => pointerAt(bytes, 8 + index * 8);
    const head: Head = {
      start,
      step: bytes[6] as number,
      functions: field(0),
      textStart: field(2),
      names: field(3),
      units: field(4),
      files: field(5),
      values: field(6),
      entries: field(7),
    };
    return head.functions > 0 && head.functions <= functionsMax ? new GoTable(memory, head) : null;
  }

  /** The function that contains a return address; null: in no function of Go. */
  frameAt(returnAddress: number): StackFrame | null {
    const { start, names, entries, textStart } = this.#head;
    // The call stands before its return address.
    const offset = returnAddress - 1 - textStart;
    const entry = this.#entryOf(offset);
    const record = entry === null ? null : this.#bytes(start + entries + entry, 36);
    if (record === null) return null;
    const name = this.#text(start + names + record.readInt32LE(4));
    if (name === null) return null;
    const from = record.readUInt32LE(0);
    const unit = record.readUInt32LE(32);
    const file = this.#fileName(unit, this.#value(record.readUInt32LE(20), offset - from));
    // An inlined call has the place of another function, often of another package.
    if (file === null || !isOfPackage(name, file)) return { function: name, file: null, line: null };
    return { function: name, file, line: this.#value(record.readUInt32LE(24), offset - from) };
  }

  /** By bisection: the last function that begins at or before this offset. */
  #entryOf(offset: number): number | null {
    const { start, entries, functions } = this.#head;
    let [low, high] = [0, functions];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const begin = this.#bytes(start + entries + middle * 8, 4)?.readUInt32LE(0);
      if (begin === undefined) return null;
      if (begin <= offset) low = middle + 1;
      else high = middle;
    }
    const found = this.#bytes(start + entries + (low - 1) * 8, 16);
    // The table ends with the end of the code.
    if (low === 0 || found === null || offset >= found.readUInt32LE(8)) return null;
    return found.readUInt32LE(4);
  }

  /** A table of values: pairs of a signed step of the value and a step of the code. */
  #value(at: number, offset: number): number | null {
    const { start, values, step } = this.#head;
    if (at === 0) return null;
    const bytes = this.#memory.read(BigInt(start + values + at), valueBytesMax);
    if (isAbsent(bytes)) return null;
    return valueAt(bytes, offset, step);
  }

  #fileName(unit: number, index: number | null): string | null {
    if (index === null || index < 0 || unit === 0xffff_ffff) return null;
    const { start, units, files } = this.#head;
    const at = this.#bytes(start + units + (unit + index) * 4, 4)?.readUInt32LE(0);
    return at === undefined || at === 0xffff_ffff ? null : this.#text(start + files + at);
  }

  #text(address: number): string | null {
    const bytes = this.#memory.read(BigInt(address), nameBytesMax);
    const end = isAbsent(bytes) ? -1 : bytes.indexOf(0);
    return isAbsent(bytes) || end <= 0 ? null : bytes.toString('utf8', 0, end);
  }

  #bytes(address: number, length: number): Buffer | null {
    const bytes = readAll(this.#memory, address, length);
    return isAbsent(bytes) ? null : bytes;
  }
}

/**
 * Whether a file belongs to the package of a function: the path of a file of the standard library, or of a module,
 * shows it.
 */
export function isOfPackage(name: string, file: string): boolean {
  const slash = name.lastIndexOf('/') + 1;
  const path = name.slice(0, slash) + (name.slice(slash).split('.')[0] ?? '');
  const standard = /\/go[^/]*\/src\/([^./]+(?:\/[^/]+)*)\/[^/]+$/.exec(file)?.[1];
  const module = /\/pkg\/mod\/([^@]+)@/.exec(file)?.[1];
  return (standard === undefined || standard === path) && (module === undefined || path.startsWith(module));
}

/** The value that holds at an offset of the code; null: the table ends before. */
export function valueAt(bytes: Uint8Array, offset: number, step: number): number | null {
  let [value, code, at] = [-1, 0, 0];
  const varint = (): number => {
    let number = 0;
    for (let shift = 0; at < bytes.length && shift < 35; shift += 7) {
      const byte = bytes[at++] as number;
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    return number;
  };
  while (at < bytes.length) {
    const delta = varint();
    if (delta === 0 && code > 0) return null;
    value += delta % 2 === 1 ? -(delta + 1) / 2 : delta / 2;
    code += varint() * step;
    if (offset < code) return value;
  }
  return null;
}
