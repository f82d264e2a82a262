import type { GoModule } from './module.js';
import type { GoPages } from './pages.js';

/** Fields of the record of a type, the same in every version so far. */
const field = {
  size: 0,
  pointerBytes: 8,
  flags: 20,
  align: 21,
  fieldAlign: 22,
  kind: 23,
  name: 40,
  pointer: 44,
  parts: 48,
} as const;
const recordBytes = 48;
const flagMethods = 1;
const kindMask = 31;
const kinds = { array: 17, chan: 18, func: 19, interface: 20, map: 21, pointer: 22, slice: 23, struct: 25 };
const kindMax = 26;
/** Bytes of a value by kind, where all values of the kind have the same. */
const sizeOf: Readonly<Record<number, number>> = {
  [kinds.chan]: 8,
  [kinds.func]: 8,
  [kinds.interface]: 16,
  [kinds.map]: 8,
  [kinds.pointer]: 8,
  [kinds.slice]: 24,
};
/** Bytes of the record by kind, if it is longer; maps: until and since Go 1.24. */
const bytesOf: Readonly<Record<number, readonly number[]>> = {
  [kinds.array]: [72],
  [kinds.chan]: [64],
  [kinds.func]: [56],
  [kinds.interface]: [80],
  [kinds.map]: [88, 112],
  [kinds.pointer]: [56],
  [kinds.slice]: [56],
  [kinds.struct]: [80],
};
/** Types that the record names at its end. */
const namedTypes: Readonly<Record<number, number>> = {
  [kinds.array]: 1,
  [kinds.chan]: 1,
  [kinds.map]: 2,
  [kinds.pointer]: 1,
  [kinds.slice]: 1,
};
/** A list (of fields, or of the methods of an interface): its place and its length. */
const list = { at: 56, length: 64, max: 4096 } as const;
const structField = { bytes: 24, type: 8 } as const;
const interfaceMethodBytes = 8;
/** The list of a type's methods: how many, and how far away; one entry. */
const methodList = { count: 4, offset: 8, bytes: 16, max: 4096 } as const;
const method = { bytes: 16, called: 8, direct: 12 } as const;
const nameBytesMax = 256;

/** What a type leads to. */
export interface GoType {
  /** The code of its methods by name. */
  methods: [name: string, entries: number[]][];
  /** Of an interface: the names of its methods. */
  asked: string[];
  /** Types of its parts, and of a pointer to it: reflection makes values of them. */
  parts: number[];
}

/** Reads the types of a program: a method that is found by a type assertion is named by nothing else. */
export class GoTypes {
  readonly #pages: GoPages;
  readonly #module: GoModule;
  readonly #names = new Map<number, string>();

  constructor(pages: GoPages, module: GoModule) {
    this.#pages = pages;
    this.#module = module;
  }

  /** null: there is no type at this address. */
  at(address: number): GoType | null {
    const { from, to } = this.#module.types;
    if (address < from || address >= to || address % 8 !== 0) return null;
    const record = this.#pages.piece(address, recordBytes);
    if (record === null || !isType(record, to - from)) return null;
    const kind = record.readUInt8(field.kind) & kindMask;
    const pointer = record.readInt32LE(field.pointer);
    const hasMethods = (record.readUInt8(field.flags) & flagMethods) !== 0;
    return {
      methods: hasMethods ? this.#methods(address, kind) : [],
      asked: kind === kinds.interface ? this.#asked(address) : [],
      parts: [...this.#parts(address, kind), ...(pointer > 0 ? [from + pointer] : [])].filter(
        (part) => part >= from && part < to,
      ),
    };
  }

  #methods(address: number, kind: number): [string, number[]][] {
    for (const bytes of bytesOf[kind] ?? [recordBytes]) {
      const found = this.#methodsAt(address + bytes);
      if (found !== null) return found;
    }
    return [];
  }

  /** null: no list of methods. */
  #methodsAt(at: number): [string, number[]][] | null {
    const head = this.#pages.piece(at, methodList.bytes);
    const count = head?.readUInt16LE(methodList.count) ?? 0;
    const offset = head?.readUInt32LE(methodList.offset) ?? 0;
    if (head === null || count > methodList.max || offset < methodList.bytes) return null;
    const rows = this.#pages.piece(at + offset, count * method.bytes);
    if (rows === null) return null;
    const found: [string, number[]][] = [];
    for (let row = 0; row < rows.length; row += method.bytes) {
      const offsets = [rows.readInt32LE(row + method.called), rows.readInt32LE(row + method.direct)];
      // The linker leaves out methods that nothing can call.
      const entries = offsets.filter((code) => code > 0).map((code) => this.#module.text + code);
      if (entries.some((entry) => this.#module.functions.find(entry)?.entry !== entry)) return null;
      found.push([this.#name(rows.readInt32LE(row)), entries]);
    }
    return found;
  }

  #asked(address: number): string[] {
    const { at, count } = this.#list(address);
    const rows = this.#pages.piece(at, count * interfaceMethodBytes) ?? Buffer.alloc(0);
    return Array.from({ length: rows.length / interfaceMethodBytes }, (_, index) =>
      this.#name(rows.readInt32LE(index * interfaceMethodBytes)),
    );
  }

  #parts(address: number, kind: number): number[] {
    if (kind === kinds.func) return this.#signature(address);
    const start = address + field.parts;
    if (kind !== kinds.struct) return [...this.#pages.words(start, start + (namedTypes[kind] ?? 0) * 8)];
    const { at, count } = this.#list(address);
    return Array.from(
      { length: count },
      (_, index) => this.#pages.word(at + index * structField.bytes + structField.type) ?? 0,
    );
  }

  /** Types of parameters and results: they follow the record. */
  #signature(address: number): number[] {
    const record = this.#pages.piece(address, recordBytes + 8);
    if (record === null) return [];
    const count = record.readUInt16LE(field.parts) + (record.readUInt16LE(field.parts + 2) & 0x7fff);
    const isNamed = (record.readUInt8(field.flags) & flagMethods) !== 0;
    const start = address + recordBytes + 8 + (isNamed ? methodList.bytes : 0);
    return [...this.#pages.words(start, start + Math.min(count, list.max) * 8)];
  }

  #list(address: number): { at: number; count: number } {
    const [at, count] = [this.#pages.word(address + list.at), this.#pages.word(address + list.length)];
    return { at: at ?? 0, count: (count ?? 0) > list.max ? 0 : (count ?? 0) };
  }

  /** A byte of flags, a length, and the text. */
  #name(offset: number): string {
    const known = this.#names.get(offset);
    if (known !== undefined) return known;
    const bytes = this.#pages.piece(this.#module.types.from + offset, nameBytesMax) ?? Buffer.alloc(2);
    const isLong = (bytes[1] ?? 0) >= 128;
    const length = isLong ? ((bytes[1] ?? 0) & 127) + (bytes[2] ?? 0) * 128 : (bytes[1] ?? 0);
    const start = isLong ? 3 : 2;
    const name = bytes.toString('utf8', start, start + length);
    this.#names.set(offset, name);
    return name;
  }
}

/** Names and other texts lie between the types. */
function isType(record: Buffer, bytes: number): boolean {
  const number = (at: number): number => record.readUInt32LE(at) + record.readUInt32LE(at + 4) * 2 ** 32;
  const kind = record.readUInt8(field.kind) & kindMask;
  const size = number(field.size);
  const pointerBytes = number(field.pointerBytes);
  const name = record.readInt32LE(field.name);
  const aligns = [record.readUInt8(field.align), record.readUInt8(field.fieldAlign)];
  return (
    kind > 0 &&
    kind <= kindMax &&
    size === (sizeOf[kind] ?? size) &&
    pointerBytes % 8 === 0 &&
    pointerBytes <= size &&
    aligns.every((align) => [1, 2, 4, 8, 16].includes(align) && size % align === 0) &&
    name > 0 &&
    name < bytes
  );
}
