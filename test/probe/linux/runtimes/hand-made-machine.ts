import type { Memory } from '../../../../src/probe/linux/proc/mem.js';
import type { HotspotLayout } from '../../../../src/probe/linux/runtimes/java/layout.js';
import type { HotspotObjects } from '../../../../src/probe/linux/runtimes/java/objects.js';
import { HotspotThreads } from '../../../../src/probe/linux/runtimes/java/threads.js';
import { context } from './hand-made-memory.js';

/** Where the library lies, and all that a hand-made Java machine has. */
export const base = 0x10_0000n;
const size = 0x8000;
const threadsAt = 0x1000;
const threadBytes = 0x100;
const monitorsAt = 0x4000;
const monitorBytes = 0x40;
const objectsAt = 0x6000;
/** In the structure of a thread, behind all the others. */
export const handleAt = 0x90;

export const pointerLayout: HotspotLayout = {
  threadList: 0x10n,
  list: { length: 4, threads: 16 },
  thread: { osThread: 0, pendingMonitor: 8 },
  osThread: { id: 0x80 },
  monitor: { owner: 8, object: 16 },
  owner: { as: 'pointer', stackBase: 16, stackSize: 24 },
  lockStack: null,
  initialization: null,
};

export const idLayout: HotspotLayout = {
  ...pointerLayout,
  owner: { as: 'id', id: 16 },
  lockStack: { top: 32, base: 40 },
};

export interface MadeThread {
  tid: number;
  /** Index of the monitor it is about to enter. */
  pending?: number;
  /** Its stack, from and to. */
  stack?: [bigint, bigint];
  id?: bigint;
  /** Where the handle of its object is. */
  handle?: bigint;
  /** Indexes of the objects it locked without a monitor; the object of monitor n is object n. */
  locked?: number[];
}

export const threadAt = (index: number): bigint => base + BigInt(threadsAt + index * threadBytes);
export const monitorAt = (index: number): bigint => base + BigInt(monitorsAt + index * monitorBytes);
const objectAt = (index: number): bigint => base + BigInt(objectsAt + index * 16);

/** The memory of a Java machine with these threads, and monitors with these owner words. */
export function machine(
  threads: MadeThread[],
  owners: bigint[],
  flags = 0n,
  ...more: [bigint, Buffer][]
): Memory {
  const bytes = Buffer.alloc(size);
  const put = (address: bigint, value: bigint): void => {
    bytes.writeBigUInt64LE(value, Number(address - base));
  };
  const listAt = base + 0x20n;
  const arrayAt = base + 0x100n;
  put(base + 0x10n, listAt);
  bytes.writeUInt32LE(threads.length, Number(listAt - base) + 4);
  put(listAt + 16n, arrayAt);
  threads.forEach(
    ({ tid, pending, stack: [from, to] = [0n, 0n], id = 0n, locked = [], handle = 0n }, index) => {
      const at = threadAt(index);
      put(arrayAt + BigInt(index * 8), at);
      // The kernel's part of a thread stands right behind it.
      put(at, at);
      bytes.writeUInt32LE(tid, Number(at - base) + 0x80);
      put(at + 8n, pending === undefined ? 0n : monitorAt(pending));
      put(at + 16n, id === 0n ? to : id);
      put(at + 24n, to - from);
      put(at + BigInt(handleAt), handle);
      bytes.writeUInt32LE(40 + locked.length * 8, Number(at - base) + 32);
      for (const [place, object] of locked.entries()) put(at + BigInt(40 + place * 8), objectAt(object));
    },
  );
  owners.forEach((owner, index) => {
    const handle = monitorAt(index) + 32n;
    put(monitorAt(index) + 8n, owner);
    put(monitorAt(index) + 16n, handle);
    put(handle, objectAt(index) << flags);
  });
  return context([], [base, bytes], ...more).memory;
}

export const threadsOf = (
  memory: Memory,
  layout: HotspotLayout,
  objects: HotspotObjects | null = null,
): HotspotThreads | null => HotspotThreads.read(memory, layout, base, objects);
