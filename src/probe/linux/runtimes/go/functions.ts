import type { GoPages } from './pages.js';

/** The first bytes of the table, by version: Go 1.18 and 1.19, and every later version. */
const magics = new Map([
  [0xfffffff0, { funcId: 36, inlined: { bytes: 20, parent: 16 } }],
  [0xfffffff1, { funcId: 40, inlined: { bytes: 16, parent: 8 } }],
]);
type Layout = typeof magics extends Map<number, infer T> ? T : never;
const tableBytesMax = 32 * 1024 * 1024;
const functionsMax = 1_000_000;
const nameBytesMax = 512;
/** Assembly may have no known number. */
const argumentBytesMax = 65_536;
/** Bytes of the smallest instruction, by machine: x86-64, and arm64, which keeps return addresses elsewhere. */
const steps = { x64: 1, arm64: 4 } as const;

const tables = { stackMapIndex: 1, inlinedIndex: 2 } as const;
const mapKinds = { args: 0, locals: 1 } as const;
const inlinedKind = 3;
const inlinedMax = 50;

/** A function of the program. */
export interface GoFunction {
  name: string;
  entry: number;
  end: number;
  /** Address of its record in the table. */
  record: number;
}

/** Bits of a frame: which of its words are pointers that are used again. */
export interface PointerMap {
  bits: boolean[];
}

/**
 * The table that every Go program has for its own stack traces and garbage collection (`.gopclntab`): functions, lines,
 * sizes of frames, and which words of a frame are live pointers. It is there in stripped programs, too.
 */
export class GoFunctions {
  readonly #bytes: Buffer;
  readonly #pages: GoPages;
  readonly #text: number;
  readonly #count: number;
  readonly #length: number;
  readonly #at: { names: number; files: number; units: number; pcs: number; functions: number };
  readonly #layout: Layout;
  readonly #step: number;
  readonly #known = new Map<number, GoFunction>();
  /** Address where the maps of frames begin; null: not known. */
  maps: number | null = null;

  private constructor(bytes: Buffer, pages: GoPages, layout: Layout, text: number) {
    const offset = (word: number): number => Number(bytes.readBigUInt64LE(8 + word * 8));
    this.#bytes = bytes;
    this.#pages = pages;
    this.#layout = layout;
    this.#step = bytes[6] ?? steps.x64;
    this.#count = offset(0);
    this.#text = text;
    this.#at = { names: offset(3), units: offset(4), files: offset(5), pcs: offset(6), functions: offset(7) };
    this.#length = this.#entry(this.#count);
  }

  /** `text`: where the code begins, should the table not contain it. null: not a table of a known version. */
  static read(pages: GoPages, address: number, length: number, text: number): GoFunctions | null {
    if (length < 72 || length > tableBytesMax) return null;
    const bytes = pages.bytes(address, length);
    const layout = bytes === null ? undefined : magics.get(bytes.readUInt32LE(0));
    const isKnown = bytes !== null && Object.values(steps).some((step) => step === bytes[6]);
    if (bytes === null || layout === undefined || !isKnown || bytes[7] !== 8) return null;
    const own = Number(bytes.readBigUInt64LE(24));
    const table = new GoFunctions(bytes, pages, layout, own === 0 ? text : own);
    const inside = Object.values(table.#at).every((at) => at > 0 && at < length);
    return inside && table.#count > 0 && table.#count < functionsMax ? table : null;
  }

  /** Of Go 1.18 or 1.19. */
  get isOld(): boolean {
    return this.#bytes.readUInt32LE(0) === 0xfffffff0;
  }

  /** The return address lies at the lower end of a frame, as on arm64; otherwise above its upper end. */
  get returnsFirst(): boolean {
    return this.#step !== steps.x64;
  }

  get namesAt(): number {
    return this.#at.names;
  }

  /** The function that code at this address belongs to. */
  find(pc: number): GoFunction | null {
    const wanted = pc - this.#text;
    if (wanted < 0 || wanted >= this.#length) return null;
    let low = 0;
    let high = this.#count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#entry(middle) <= wanted) low = middle;
      else high = middle;
    }
    const known = this.#known.get(low);
    if (known !== undefined) return known;
    const record = this.#at.functions + this.#uint(this.#at.functions + low * 8 + 4);
    const found = {
      name: this.#text0(this.#at.names + this.#int(record + 4)),
      entry: this.#text + this.#entry(low),
      end: this.#text + this.#entry(low + 1),
      record,
    };
    this.#known.set(low, found);
    return found;
  }

  /** Bytes between the stack pointer at this place and the return address. */
  frameBytes(found: GoFunction, pc: number): number | null {
    return this.#value(this.#uint(found.record + 16), found, pc);
  }

  /** Bytes of the arguments and results of a function, above its return address. */
  argumentBytes({ record }: GoFunction): number {
    const bytes = this.#uint(record + 8);
    return bytes > argumentBytesMax ? 0 : bytes;
  }

  /** Where the code at an address stands; for calls that were inlined into a function, where the outermost is. */
  place(found: GoFunction, pc: number): { file: string; line: number } | null {
    const place = this.#outermost(found, pc);
    const line = this.#value(this.#uint(found.record + 24), found, place);
    const file = this.#value(this.#uint(found.record + 20), found, place);
    if (line === null || file === null || file < 0) return null;
    const offset = this.#uint(this.#at.units + (this.#uint(found.record + 32) + file) * 4);
    const path = offset === 0xffffffff ? '' : this.#text0(this.#at.files + offset);
    return path === '' ? null : { file: path, line };
  }

  #outermost(found: GoFunction, pc: number): number {
    const { bytes, parent } = this.#layout.inlined;
    const tree = this.#attached(found, inlinedKind);
    let place = pc;
    for (let depth = 0; tree !== null && depth < inlinedMax; depth += 1) {
      const index = this.#valueOf(found, tables.inlinedIndex, place);
      const call = index === null || index < 0 ? null : this.#pages.bytes(tree + index * bytes, bytes);
      if (call === null) break;
      place = found.entry + call.readInt32LE(parent);
    }
    return place;
  }

  /** The live pointers of a frame; null: not known. */
  pointers(found: GoFunction, pc: number, kind: keyof typeof mapKinds): PointerMap | null {
    const map = this.#attached(found, mapKinds[kind]);
    const head = map === null ? null : this.#pages.bytes(map, 8);
    if (map === null || head === null) return null;
    const [count, width] = [head.readInt32LE(0), head.readInt32LE(4)];
    const index = Math.max(0, this.#valueOf(found, tables.stackMapIndex, pc) ?? -1);
    if (width < 0 || width > 65_536 || index >= count) return null;
    if (width === 0) return { bits: [] };
    const bytesPer = (width + 7) >> 3;
    const bytes = this.#pages.bytes(map + 8 + index * bytesPer, bytesPer);
    if (bytes === null) return null;
    return {
      bits: Array.from({ length: width }, (_, bit) => (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1),
    };
  }

  /** The address of something of this kind that belongs to a function; null: the function has none. */
  #attached({ record }: GoFunction, kind: number): number | null {
    const { funcId } = this.#layout;
    if (this.maps === null || kind >= (this.#bytes[record + funcId + 3] ?? 0)) return null;
    const offset = this.#uint(record + funcId + 4 + (this.#uint(record + 28) + kind) * 4);
    return offset === 0xffffffff ? null : this.maps + offset;
  }

  #valueOf(found: GoFunction, table: number, pc: number): number | null {
    const { record } = found;
    if (table >= this.#uint(record + 28)) return null;
    return this.#value(this.#uint(record + this.#layout.funcId + 4 + table * 4), found, pc);
  }

  #value(offset: number, found: GoFunction, pc: number): number | null {
    if (offset === 0 || offset >= this.#bytes.length) return null;
    return valueAt(this.#bytes.subarray(this.#at.pcs + offset), pc - found.entry, this.#step);
  }

  #entry(index: number): number {
    return this.#uint(this.#at.functions + index * 8);
  }

  #uint(at: number): number {
    return at >= 0 && at + 4 <= this.#bytes.length ? this.#bytes.readUInt32LE(at) : 0xffffffff;
  }

  #int(at: number): number {
    return this.#uint(at) | 0;
  }

  #text0(at: number): string {
    const end = this.#bytes.indexOf(0, at);
    return end < at ? '' : this.#bytes.toString('utf8', at, Math.min(end, at + nameBytesMax));
  }
}

/**
 * The value that holds at an offset of the code, from a table of pairs: a signed step of the value, and a step of the
 * code. null: the table ends before.
 */
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
