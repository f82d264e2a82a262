import type { Memory } from '../../proc/mem.js';
import type { HotspotLayout } from './layout.js';
import { HotspotLocks } from './locks.js';
import { bytesAt, uint32At, wordAt } from './memory.js';
import type { HotspotObjects } from './objects.js';
import { HotspotOwners } from './owners.js';

const threadsMax = 4096;
const pointerBytes = 8;

/** The threads of a Java virtual machine at one moment, by the addresses of their structures. */
export class HotspotThreads {
  readonly addresses: readonly bigint[];
  /** null: its objects cannot be read. */
  readonly locks: HotspotLocks | null;
  readonly #memory: Memory;
  readonly #layout: HotspotLayout;
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
