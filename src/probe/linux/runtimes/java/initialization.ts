import type { Memory } from '../../proc/mem.js';
import type { InitializationLayout } from './layout.js';
import { bytesAt, wordAt } from './memory.js';
import type { HotspotObjects } from './objects.js';

/** A class that is being initialized, and the thread that does it. */
export interface PendingClass {
  address: bigint;
  owner: bigint;
}

interface Places {
  initialization: InitializationLayout;
  /** In a monitor: the handle of its object. */
  object: number;
}

const threadBytesMax = 8192;
const pointerBytes = 8;
const addressMin = 4096n;
const addressEnd = 1n << 47n;

/** Threads wait for a class in the monitor of an empty `int[]` that belongs to it: no program waits for such an object. */
const initLockClass = '[I';

/**
 * A thread that needs a class which another thread initializes waits without a timeout, cannot be interrupted, and has the
 * class in its own structure until that thread is ready. The place there is not published: it is the one word that is a
 * class with another thread as its initializer.
 */
export function pendingClassOf(
  memory: Memory,
  { initialization, object }: Places,
  objects: HotspotObjects,
  thread: bigint,
  threads: readonly bigint[],
): PendingClass | null {
  const { waitingMonitor, initializer, threadBytes, otherClass } = initialization;
  const monitor = wordAt(memory, thread + BigInt(waitingMonitor));
  const handle = monitor === null || monitor === 0n ? null : wordAt(memory, monitor + BigInt(object));
  const lock = handle === null ? null : wordAt(memory, handle);
  const klass = lock === null || lock === 0n ? null : objects.classOf(lock);
  if (klass === null || objects.classes.nameOf(klass) !== initLockClass) return null;
  const bytes = threadBytes > threadBytesMax ? null : bytesAt(memory, thread, threadBytes);
  if (bytes === null) return null;
  const found = new Map<bigint, bigint>();
  for (let at = 0; at + pointerBytes <= bytes.length; at += pointerBytes) {
    const address = bytes.readBigUInt64LE(at);
    if (at === otherClass || address < addressMin || address >= addressEnd || address % 8n !== 0n) continue;
    const owner = wordAt(memory, address + BigInt(initializer));
    if (owner === null || owner === thread || !threads.includes(owner)) continue;
    if (objects.classes.nameOf(address) !== null) found.set(address, owner);
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : { address: only[0], owner: only[1] };
}
