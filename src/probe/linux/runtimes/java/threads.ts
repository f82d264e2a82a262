import type { Memory } from '../../proc/mem.js';
import { type PendingClass, pendingClassOf } from './initialization.js';
import type { HotspotLayout } from './layout.js';
import { HotspotLocks } from './locks.js';
import { bytesAt, uint32At, wordAt } from './memory.js';
import type { HotspotObjects } from './objects.js';

/** HotSpot's own limit (LockStack::CAPACITY). */
const lockStackMax = 8;
const stackBytesMax = 1n << 32n;
/**
 * ZGC keeps flags below a pointer, this many bits wide; shifted by more, no other pointer is an address of the heap.
 */
const pointerShifts = [0n, 13n, 14n, 15n, 16n];

/** In the place of an owner: no owner, and an owner whose lock stack has the object. */
const nobody = 0n;
const anonymous = 1n;
/** Smaller numbers are not threads: no owner, anonymous, a monitor that is being taken away. */
const ownerIdMin = 3n;

/** Which thread is in which monitor. The facts of all threads are read once, on first use. */
class HotspotOwners {
  readonly #memory: Memory;
  readonly #layout: HotspotLayout;
  readonly #threads: readonly bigint[];
  readonly #owners = new Map<bigint, bigint | null>();
  #byId: Index | null = null;
  #byObject: Index | null = null;
  #stacks: Stack[] | null = null;

  constructor(memory: Memory, layout: HotspotLayout, threads: readonly bigint[]) {
    this.#memory = memory;
    this.#layout = layout;
    this.#threads = threads;
  }

  /** The thread that is in a monitor; null: no thread, or not known. */
  of(monitor: bigint): bigint | null {
    const known = this.#owners.get(monitor);
    if (known !== undefined) return known;
    const owner = this.#read(monitor);
    this.#owners.set(monitor, owner);
    return owner;
  }

  #read(monitor: bigint): bigint | null {
    const { owner, monitor: place } = this.#layout;
    const value = this.#word(monitor, place.owner);
    if (value === null || value === nobody) return null;
    if (value === anonymous) return this.#ownerByObject(monitor);
    if (owner.as === 'id') {
      this.#byId ??= this.#indexBy((thread) => [this.#word(thread, owner.id) ?? nobody]);
      return value < ownerIdMin ? null : (this.#byId.get(value) ?? null);
    }
    return this.#threads.includes(value) ? value : this.#ownerByStack(value, owner);
  }

  /** Taken without a monitor at first: the owner is the address of a word on the owner's stack. */
  #ownerByStack(value: bigint, { stackBase, stackSize }: PointerOwner): bigint | null {
    this.#stacks ??= this.#threads.flatMap((thread) => {
      const base = this.#word(thread, stackBase);
      const size = this.#word(thread, stackSize);
      return base === null || size === null || size > stackBytesMax
        ? []
        : { thread, from: base - size, to: base };
    });
    const [first, second] = this.#stacks.filter(({ from, to }) => value >= from && value < to);
    return first === undefined || second !== undefined ? null : first.thread;
  }

  /** The monitor does not show the owner: the owner still has the object among those it locked without a monitor. */
  #ownerByObject(monitor: bigint): bigint | null {
    const { lockStack, monitor: place } = this.#layout;
    if (lockStack === null || place.object === null) return null;
    const handle = this.#word(monitor, place.object);
    const object = handle === null ? null : wordAt(this.#memory, handle);
    if (handle === null || object === null || object === 0n) return null;
    this.#byObject ??= this.#indexBy((thread) => this.#lockedBy(thread, lockStack));
    const found = pointerShifts.flatMap((shift) => this.#byObject?.get(object >> shift) ?? []);
    // The garbage collector may have moved the object meanwhile, and another object to its place.
    const isSame = wordAt(this.#memory, handle) === object;
    return isSame && found.length === 1 ? (found[0] ?? null) : null;
  }

  #lockedBy(thread: bigint, { top, base }: NonNullable<HotspotLayout['lockStack']>): bigint[] {
    const end = uint32At(this.#memory, thread + BigInt(top));
    const count = end === null ? 0 : (end - base) / pointerBytes;
    if (!Number.isInteger(count) || count < 1 || count > lockStackMax) return [];
    const bytes = bytesAt(this.#memory, thread + BigInt(base), count * pointerBytes);
    if (bytes === null) return [];
    return Array.from({ length: count }, (_, index) => bytes.readBigUInt64LE(index * pointerBytes));
  }

  /** If two threads have the same key, something was misread. */
  #indexBy(keysOf: (thread: bigint) => bigint[]): Index {
    const index = new Map<bigint, bigint | null>();
    for (const thread of this.#threads) {
      for (const key of new Set(keysOf(thread))) index.set(key, index.has(key) ? null : thread);
    }
    return index;
  }

  #word(structure: bigint, offset: number): bigint | null {
    return wordAt(this.#memory, structure + BigInt(offset));
  }
}

type Index = ReadonlyMap<bigint, bigint | null>;
type PointerOwner = Extract<HotspotLayout['owner'], { as: 'pointer' }>;

interface Stack {
  thread: bigint;
  from: bigint;
  to: bigint;
}

const threadsMax = 4096;
const pointerBytes = 8;

/** The threads of a Java virtual machine at one moment, by the addresses of their structures. */
export class HotspotThreads {
  readonly addresses: readonly bigint[];
  /** null: its objects cannot be read. */
  readonly locks: HotspotLocks | null;
  readonly #memory: Memory;
  readonly #layout: HotspotLayout;
  readonly #objects: HotspotObjects | null;
  readonly #tids = new Map<bigint, number | null>();

  private constructor(
    memory: Memory,
    layout: HotspotLayout,
    addresses: readonly bigint[],
    objects: HotspotObjects | null,
  ) {
    this.addresses = addresses;
    this.locks = objects === null ? null : new HotspotLocks(memory, objects, addresses);
    this.#memory = memory;
    this.#layout = layout;
    this.#objects = objects;
  }

  static read(
    memory: Memory,
    layout: HotspotLayout,
    base: bigint,
    objects: HotspotObjects | null,
  ): HotspotThreads | null {
    const list = wordAt(memory, base + layout.threadList);
    if (list === null) return null;
    const length = uint32At(memory, list + BigInt(layout.list.length));
    const threads = wordAt(memory, list + BigInt(layout.list.threads));
    if (length === null || threads === null || length === 0 || length > threadsMax) return null;
    const bytes = bytesAt(memory, threads, length * pointerBytes);
    if (bytes === null) return null;
    const addresses = Array.from({ length }, (_, index) => bytes.readBigUInt64LE(index * pointerBytes));
    return new HotspotThreads(memory, layout, addresses, objects);
  }

  /** The monitor a thread is about to enter; null: none. */
  pendingMonitor(thread: bigint): bigint | null {
    const monitor = this.#word(thread, this.#layout.thread.pendingMonitor);
    return monitor === 0n ? null : monitor;
  }

  /** The class whose initialization by another thread a thread waits for; null: none. */
  pendingClass(thread: bigint): PendingClass | null {
    const { initialization, monitor } = this.#layout;
    if (initialization === null || monitor.object === null || this.#objects === null) return null;
    const places = { initialization, object: monitor.object };
    return pendingClassOf(this.#memory, places, this.#objects, thread, this.addresses);
  }

  /** The tid in the pid namespace of the process, valid as long as the thread is in the list. */
  tid(thread: bigint): number | null {
    const known = this.#tids.get(thread);
    if (known !== undefined) return known;
    const osThread = this.#word(thread, this.#layout.thread.osThread);
    const tid =
      osThread === null ? null : uint32At(this.#memory, osThread + BigInt(this.#layout.osThread.id));
    this.#tids.set(thread, tid);
    return tid;
  }

  /** Which thread is in which monitor, as of the first call. */
  owners(): HotspotOwners {
    return new HotspotOwners(this.#memory, this.#layout, this.addresses);
  }

  #word(structure: bigint, offset: number): bigint | null {
    return wordAt(this.#memory, structure + BigInt(offset));
  }
}
