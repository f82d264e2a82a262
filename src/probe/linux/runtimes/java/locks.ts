import { javaLockTypes, type LockType } from '../../../../model/facts/monitors.js';
import type { Memory } from '../../proc/mem.js';
import { uint32At, wordAt } from './memory.js';
import type { HotspotObjects } from './objects.js';

/**
 * The parts of Java's own locks that threads wait at. Only the owner can release such a lock: it throws in any other
 * thread that tries. Classes that a program derives from their parent may keep other rules.
 */
const typesByClass = new Map<string, LockType>(
  javaLockTypes.flatMap((type) =>
    ['Fair', 'Nonfair'].map((order): [string, LockType] => [
      `java/util/concurrent/locks/${type}$${order}Sync`,
      type,
    ]),
  ),
);

const thread = 'java/lang/Thread';
const holder = 'java/lang/Thread$FieldHolder';
/** As `lockInterruptibly` and `acquireInterruptibly`; methods that are compiled are not seen. */
const interruptibly = /^java\/util\/concurrent\/locks\/\S+Interruptibly$/;

const ownable = 'java/util/concurrent/locks/AbstractOwnableSynchronizer';

/** JVMTI: alive 0x1, waiting 0x80, without a timeout 0x10, parked 0x200. A wait that ends by itself has 0x20 there. */
const parkedForEver = 0x291;
/** JVMTI: terminated. */
const terminated = 0x2;

/** In place of a thread: the owner has ended, and with it the only thread that could release the lock. */
export const endedOwner = 0n;

export interface LockWait {
  type: LockType;
  /** Address of the object, which may be moved later. */
  address: bigint;
  /** `endedOwner`: it has none any more. */
  owner: bigint;
  /** The wait ends when another thread interrupts this thread. */
  interruptible?: true;
}

/** Which thread waits for which thread's lock of java.util.concurrent, by the objects of the heap. */
export class HotspotLocks {
  readonly #memory: Memory;
  readonly #objects: HotspotObjects;
  readonly #threads: ReadonlySet<bigint>;

  constructor(memory: Memory, objects: HotspotObjects, threads: readonly bigint[]) {
    this.#memory = memory;
    this.#objects = objects;
    this.#threads = new Set(threads);
  }

  /** A guess: a collection may have moved something meanwhile. */
  guess(threads: readonly bigint[]): Map<bigint, LockWait> {
    return new Map(
      threads.flatMap((one) => {
        const wait = this.#waitOf(one);
        return wait === null ? [] : [[one, wait]];
      }),
    );
  }

  /** Read twice with the same result, and nothing was moved meanwhile. */
  prove(threads: readonly bigint[]): Map<bigint, LockWait> {
    const before = threads.length === 0 ? null : this.#objects.settled();
    if (before === null) return new Map();
    const [first, second] = [this.guess(threads), this.guess(threads)];
    if (this.#objects.collections() !== before) return new Map();
    const proven = [...first].filter(([one, wait]) => isSame(wait, second.get(one)));
    // Methods are never moved, so their names need not be read before the collections are compared.
    return new Map(
      proven.map(([one, wait]) => [
        one,
        this.#isInterruptible(one) ? { ...wait, interruptible: true } : wait,
      ]),
    );
  }

  #waitOf(waiter: bigint): LockWait | null {
    const object = this.#objects.threadObject(waiter);
    const lock = object === null ? null : this.#field(object, thread, 'parkBlocker', 'Ljava/lang/Object;');
    if (object === null || lock === null) return null;
    const klass = this.#objects.classOf(lock);
    const type = klass === null ? undefined : typesByClass.get(this.#objects.classes.nameOf(klass) ?? '');
    if (type === undefined || this.#threadOf(object) !== waiter) return null;
    if (this.#statusOf(object) !== parkedForEver) return null;
    const ownerObject = this.#field(lock, ownable, 'exclusiveOwnerThread', 'Ljava/lang/Thread;');
    const owner = ownerObject === null ? null : (this.#threadOf(ownerObject) ?? this.#endedOf(ownerObject));
    return owner === null ? null : { type, address: lock, owner };
  }

  /** A thread that has ended has neither a structure nor any other state. */
  #endedOf(object: bigint): bigint | null {
    const at = this.#place(object, thread, 'eetop', 'J');
    const found = at === null ? null : wordAt(this.#memory, at);
    return found === 0n && this.#statusOf(object) === terminated ? endedOwner : null;
  }

  #isInterruptible(waiter: bigint): boolean {
    for (const method of this.#objects.methodsOn(waiter)) if (interruptibly.test(method)) return true;
    return false;
  }

  /**
   * The thread and its object must name each other: a virtual thread has no such object, and other memory does not
   * match.
   */
  #threadOf(object: bigint): bigint | null {
    const at = this.#place(object, thread, 'eetop', 'J');
    const found = at === null ? null : wordAt(this.#memory, at);
    if (found === null || !this.#threads.has(found)) return null;
    return this.#objects.threadObject(found) === object ? found : null;
  }

  /** In the thread itself, since JDK 19 in a part of it. */
  #statusOf(object: bigint): number | null {
    const part = this.#field(object, thread, 'holder', `L${holder};`);
    const at =
      part === null
        ? this.#place(object, thread, 'threadStatus', 'I')
        : this.#place(part, holder, 'threadStatus', 'I');
    return at === null ? null : uint32At(this.#memory, at);
  }

  #field(object: bigint, declaredBy: string, field: string, signature: string): bigint | null {
    const at = this.#place(object, declaredBy, field, signature);
    return at === null ? null : this.#objects.referenceAt(at);
  }

  #place(object: bigint, declaredBy: string, field: string, signature: string): bigint | null {
    const klass = this.#objects.classOf(object);
    const offset =
      klass === null ? null : this.#objects.classes.offsetOf(klass, declaredBy, field, signature);
    return offset === null ? null : object + BigInt(offset);
  }
}

function isSame(first: LockWait, second: LockWait | undefined): boolean {
  return first.type === second?.type && first.address === second.address && first.owner === second.owner;
}
