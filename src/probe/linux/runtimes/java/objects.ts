import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { HotspotClasses } from './classes.js';
import { bytesAt, uint32At, wordAt } from './memory.js';
import type { HotspotObjectLayout } from './object-layout.js';

const shiftMax = 16;
/** The calls of a lock lie within this much of the stack, even when all of them are interpreted. */
const stackBytes = 2048;
/** Most collections stop the program for some milliseconds: after that its objects stand still for longer. */
const patienceMs = 10;

/** How this process encodes a pointer of four bytes. */
interface Narrow {
  base: bigint;
  shift: bigint;
}

interface Pointers {
  /** null: eight bytes, unchanged. */
  reference: Narrow | null;
  classPointer: Narrow | null;
}

/**
 * Objects in the heap of one process. They move when the heap is collected: a value read from them counts only if
 * `collections` gave the same number before and after.
 */
export class HotspotObjects {
  readonly classes: HotspotClasses;
  readonly #memory: Memory;
  readonly #layout: HotspotObjectLayout;
  readonly #base: bigint;
  readonly #pointers: Pointers;

  private constructor(memory: Memory, layout: HotspotObjectLayout, base: bigint, pointers: Pointers) {
    this.classes = new HotspotClasses(memory, layout);
    this.#memory = memory;
    this.#layout = layout;
    this.#base = base;
    this.#pointers = pointers;
  }

  /** null: the layout is another, or objects move while threads run (ZGC, Shenandoah). */
  static read(memory: Memory, layout: HotspotObjectLayout, base: bigint): HotspotObjects | null {
    const { flags } = layout;
    const isSet = (flag: bigint): boolean | null => {
      const value = bytesAt(memory, base + flag, 1)?.readUInt8(0) ?? null;
      return value === null || value > 1 ? null : value === 1;
    };
    if (flags.compactHeaders !== null && isSet(flags.compactHeaders) !== false) return null;
    if (flags.stoppingCollectors.filter((flag) => isSet(flag) === true).length !== 1) return null;
    const narrow = (at: Narrow, flag: bigint): Narrow | null | undefined => {
      const compressed = isSet(flag);
      if (compressed !== true) return compressed === null ? undefined : null;
      const start = wordAt(memory, base + at.base);
      const shift = uint32At(memory, base + at.shift);
      return start === null || shift === null || shift > shiftMax
        ? undefined
        : { base: start, shift: BigInt(shift) };
    };
    const reference = narrow(layout.reference, flags.compressedReferences);
    const classPointer = narrow(layout.classPointer, flags.compressedClasses);
    return reference === undefined || classPointer === undefined
      ? null
      : new HotspotObjects(memory, layout, base, { reference, classPointer });
  }

  /** How often the heap was collected, as soon as it rests; null: it does not rest, or the number is not known. */
  settled(): number | null {
    const untilMs = performance.now() + patienceMs;
    let count = this.collections();
    while (count === 'collecting' && performance.now() < untilMs) count = this.collections();
    return count === 'collecting' ? null : count;
  }

  /** null: the heap does not show it. */
  collections(): number | 'collecting' | null {
    const { heap } = this.#layout;
    const address = wordAt(this.#memory, this.#base + heap.at);
    if (address === null) return null;
    // The number first: a collection that begins after it shows in the flag now, or in the next number.
    const count = uint32At(this.#memory, address + BigInt(heap.collections));
    const isCollecting = bytesAt(this.#memory, address + BigInt(heap.isCollecting), 1);
    if (count === null || isCollecting === null) return null;
    return isCollecting.readUInt8(0) === 0 ? count : 'collecting';
  }

  /** The object behind a thread's handle. */
  threadObject(thread: bigint): bigint | null {
    const handle = wordAt(this.#memory, thread + BigInt(this.#layout.threadHandle));
    return handle === null ? null : wordAt(this.#memory, handle);
  }

  /** Methods of interpreted calls near the inner end of the stack of a thread, innermost first. */
  *methodsOn(thread: bigint): Generator<string> {
    const { methods } = this.#layout;
    const sp = methods === null ? null : wordAt(this.#memory, thread + BigInt(methods.lastSp));
    const stack = sp === null || sp === 0n ? null : this.#memory.read(sp, stackBytes);
    if (stack === null || isAbsent(stack)) return;
    for (let at = 0; at + 8 <= stack.length; at += 8) {
      const method = this.classes.methodAt(stack.readBigUInt64LE(at));
      if (method !== null) yield method;
    }
  }

  /** The object that a field refers to; null: none. */
  referenceAt(address: bigint): bigint | null {
    return this.#pointer(address, this.#pointers.reference);
  }

  classOf(object: bigint): bigint | null {
    const { classPointer } = this.#pointers;
    const { wide, narrow } = this.#layout.classPointer;
    return this.#pointer(object + BigInt(classPointer === null ? wide : narrow), classPointer);
  }

  #pointer(address: bigint, narrow: Narrow | null): bigint | null {
    if (narrow === null) return wordAt(this.#memory, address) || null;
    const value = uint32At(this.#memory, address);
    return value === null || value === 0 ? null : narrow.base + (BigInt(value) << narrow.shift);
  }
}
