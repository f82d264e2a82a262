import type { HotspotObjectLayout } from '../../../../src/probe/linux/runtimes/java/object-layout.js';
import { handleAt } from './hand-made-machine.js';

/** Where a hand-made heap lies, and all that it needs: switches, classes, objects. */
export const heapBase = 0x40_0000n;
const size = 0x8000;
const collectionsAt = 0x110;
const collectingAt = 0x118;

export const objectLayout: HotspotObjectLayout = {
  flags: {
    compressedReferences: 0x00n,
    compressedClasses: 0x01n,
    stoppingCollectors: [0x02n, 0x03n, 0x04n],
    compactHeaders: 0x05n,
  },
  threadHandle: handleAt,
  heap: { at: 0x20n, collections: 0x10, isCollecting: 0x18 },
  reference: { base: 0x28n, shift: 0x30n },
  classPointer: { base: 0x38n, shift: 0x40n, wide: 8, narrow: 8 },
  klass: { name: 0, parent: 8, constants: 16 },
  fields: { as: 'numbers', at: 24, count: 32 },
  constants: { length: 0, first: 8 },
  symbol: { length: 0, text: 2 },
  array: { length: 0, first: 4 },
  methods: null,
};

type Field = [name: string, signature: string, offset: number];

/** Objects and classes of a Java machine, written one behind the other. */
export class MadeHeap {
  readonly bytes = Buffer.alloc(size);
  readonly #narrow: boolean;
  #free = 0x200;

  /** `narrow`: pointers have four bytes, and count from the heap's beginning in steps of eight bytes. */
  constructor(narrow: boolean) {
    this.#narrow = narrow;
    this.bytes.writeUInt8(narrow ? 1 : 0, 0);
    this.bytes.writeUInt8(narrow ? 1 : 0, 1);
    this.bytes.writeUInt8(1, 3);
    this.put(heapBase + 0x20n, heapBase + 0x100n);
    for (const at of [0x28n, 0x38n]) this.put(heapBase + at, heapBase);
    for (const at of [0x30, 0x40]) this.bytes.writeUInt32LE(3, at);
  }

  collect(): void {
    this.bytes.writeUInt32LE(this.bytes.readUInt32LE(collectionsAt) + 1, collectionsAt);
  }

  /** From now on. */
  set collecting(value: boolean) {
    this.bytes.writeUInt8(value ? 1 : 0, collectingAt);
  }

  /** The switch at this place. */
  flag(at: number, value: number): void {
    this.bytes.writeUInt8(value, at);
  }

  put(address: bigint, value: bigint): void {
    this.bytes.writeBigUInt64LE(value, Number(address - heapBase));
  }

  put32(address: bigint, value: number): void {
    this.bytes.writeUInt32LE(value, Number(address - heapBase));
  }

  /** A place for the handle of an object. */
  handle(object: bigint): bigint {
    const at = this.#take(8);
    this.put(at, object);
    return at;
  }

  refer(address: bigint, to: bigint): void {
    if (!this.#narrow) this.put(address, to);
    else this.put32(address, to === 0n ? 0 : Number((to - heapBase) >> 3n));
  }

  object(klass: bigint): bigint {
    const at = this.#take(64);
    this.refer(at + 8n, klass);
    return at;
  }

  klass(name: string, parent: bigint, fields: Field[]): bigint {
    const texts = fields.flatMap(([field, signature]) => [field, signature] as const);
    const constants = this.#take(8 + texts.length * 8);
    this.put32(constants, texts.length);
    for (const [index, text] of texts.entries())
      this.put(constants + BigInt(8 + index * 8), this.#symbol(text));
    const numbers = this.#take(4 + fields.length * 12);
    this.put32(numbers, fields.length * 6);
    const first = Number(numbers - heapBase) + 4;
    for (const [index, [, , offset]] of fields.entries()) {
      const row = [0, index * 2, index * 2 + 1, 0, offset * 4 + 1, 0];
      for (const [place, value] of row.entries())
        this.bytes.writeUInt16LE(value, first + index * 12 + place * 2);
    }
    const at = this.#take(48);
    this.put(at, this.#symbol(name));
    this.put(at + 8n, parent);
    this.put(at + 16n, constants);
    this.put(at + 24n, numbers);
    this.bytes.writeUInt16LE(fields.length, Number(at - heapBase) + 32);
    return at;
  }

  #symbol(text: string): bigint {
    const at = this.#take(2 + text.length);
    this.bytes.writeUInt16LE(text.length, Number(at - heapBase));
    this.bytes.write(text, Number(at - heapBase) + 2);
    return at;
  }

  #take(length: number): bigint {
    const at = this.#free;
    this.#free += (length + 7) & ~7;
    return heapBase + BigInt(at);
  }
}
