import type { GoModule } from './module.js';
import type { GoPages } from './pages.js';
import { type GoFrame, type GoStack, readStack } from './stacks.js';

/**
 * Fields of the record of one wait (`sudog`): the goroutine, and the next record in the queue. The other fields move
 * between versions.
 */
const wait = { goroutine: 0, next: 8 } as const;
const waitBytes = 128;
/** The address of a lock's semaphore lies in one of these words of the record. */
const lockWords = [24, 32];
/** The queues of a channel begin in one of these words. */
const queueWords = [40, 48, 56, 64, 72, 80, 88];
/** The list of waiters of a sync.Cond begins in one of these words. */
const listWords = [16, 24];
const queueMax = 10_000;

/** Calls of the runtime and the library, on the way from the program into the wait. */
const ownCalls = /^(runtime|sync|internal\/sync|internal\/runtime\/\w+|internal\/poll)\./;

const lockReasons: ReadonlySet<string> = new Set([
  'semacquire',
  'sync.Mutex.Lock',
  'sync.RWMutex.Lock',
  'sync.RWMutex.RLock',
  'sync.WaitGroup.Wait',
]);

/** What a goroutine waits for, and where. */
export interface Awaited {
  at: string | null;
  /** Addresses; null: not found, so anything might wake it. */
  things: number[] | null;
}

export function readAwaited(pages: GoPages, module: GoModule, goroutine: number, reason: string): Awaited {
  const stack = readStack(pages, module, goroutine);
  if (stack === null || !stack.whole) return { at: null, things: null };
  const caller = stack.frames.findIndex(({ found }) => !ownCalls.test(found.name));
  const program = stack.frames[caller];
  // Only up to the first call of the program: frames beyond it have nothing to do with this wait.
  const inner = stack.frames.slice(0, reason === 'select' ? caller + 1 : caller);
  if (program === undefined) return { at: null, things: null };
  return { at: placeOf(module, program), things: thingsOf(pages, stack, inner, goroutine, reason) };
}

function placeOf({ functions }: GoModule, { found, pc }: GoFrame): string {
  const place = functions.place(found, pc - 1);
  return place === null ? found.name : `${found.name} (${place.file.split('/').pop()}:${place.line})`;
}

function thingsOf(
  pages: GoPages,
  stack: GoStack,
  frames: readonly GoFrame[],
  goroutine: number,
  reason: string,
): number[] | null {
  const last = frames.at(-1);
  if (last === undefined) return null;
  // Arguments of the last call may lie above its return address.
  const words = new Set(pages.words(stack.from, Math.min(last.to + 64, stack.to)));
  const pointers = [...words].filter((word) => word > 4096 && word % 4 === 0);
  const isOwn = (record: number): boolean => pages.word(record + wait.goroutine) === goroutine;
  if (reason === 'select') {
    // Records of the same wait refer to each other, and look like a channel with a queue.
    const channels = pointers.filter(
      (pointer) => !isOwn(pointer) && isQueuedAt(pages, pointer, queueWords, isOwn),
    );
    return channels.length === 0 ? null : channels;
  }
  const record = pointers.find((pointer) => pointer % 8 === 0 && isOwn(pointer));
  if (record === undefined) return null;
  if (lockReasons.has(reason)) {
    const lock = lockWords.map((offset) => pages.word(record + offset) ?? 0).find((word) => word > 4096);
    return lock === undefined ? null : [lock];
  }
  const isIt = (other: number): boolean => other === record;
  const places = reason === 'sync.Cond.Wait' ? listWords : queueWords;
  const candidates = reason === 'sync.Cond.Wait' ? pointers : pages.words(record, record + waitBytes);
  const queue = candidates.find((pointer) => pointer > 4096 && isQueuedAt(pages, pointer, places, isIt));
  return queue === undefined ? null : [queue];
}

/** Whether one of the queues of a channel or list holds such a record. */
function isQueuedAt(
  pages: GoPages,
  address: number,
  places: readonly number[],
  test: (record: number) => boolean,
): boolean {
  return places.some((offset) => {
    let record = pages.word(address + offset) ?? 0;
    for (let count = 0; record > 4096 && record % 8 === 0 && count < queueMax; count += 1) {
      if (test(record)) return true;
      record = pages.word(record + wait.next) ?? 0;
    }
    return false;
  });
}
