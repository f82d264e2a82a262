import type { Absent } from '../../../../model/facts/absence.js';
import {
  endlessReasons,
  type GoroutineGraph,
  type ParkedGoroutine,
  runtimeReasons,
  sharedReasons,
} from '../../../../model/facts/goroutines.js';
import type { Memory } from '../../proc/mem.js';
import { GoCode } from './code.js';
import { GoHeap } from './heap.js';
import { findModule, type GoMemo, type GoModule } from './module.js';
import { GoPages } from './pages.js';
import type { Part } from './search.js';
import { type GoFrame, type GoStack, readStack } from './stacks.js';
import { GoTracer, hex } from './tracer.js';

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

/** Older runtimes call this wait `semacquire`, like the wait for a lock. */
const groupReason = 'sync.WaitGroup.Wait';
const groupCall = 'sync.(*WaitGroup).Wait';

/** What a goroutine waits for, and where. */
interface Awaited {
  reason: string;
  at: string | null;
  /** Addresses; null: not found, so anything might wake it. */
  things: number[] | null;
}

function readAwaited(pages: GoPages, module: GoModule, goroutine: number, reason: string): Awaited {
  const stack = readStack(pages, module, goroutine);
  if (stack === null || !stack.whole) return { reason, at: null, things: null };
  const caller = stack.frames.findIndex(({ found }) => !ownCalls.test(found.name));
  const program = stack.frames[caller];
  // Only up to the first call of the program: frames beyond it have nothing to do with this wait.
  const inner = stack.frames.slice(0, reason === 'select' ? caller + 1 : caller);
  if (program === undefined) return { reason, at: null, things: null };
  const isOfGroup = reason === 'semacquire' && inner.some(({ found }) => found.name === groupCall);
  return {
    reason: isOfGroup ? groupReason : reason,
    at: placeOf(module, program),
    things: thingsOf(pages, stack, inner, goroutine, reason),
  };
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

/** Larger sets of waiting goroutines are not followed. */
const parkedMax = 512;

/** A goroutine as the list has it. `reason` null: it is not parked. */
export interface ListedGoroutine {
  address: number;
  id: number;
  reason: string | null;
  /** When it was parked, in nanoseconds of the runtime's clock; 0: not known. */
  since: number;
}

/** A program as it is loaded. */
export interface GoProgram {
  memory: Memory;
  /** The memory of its variables. */
  parts: readonly Part[];
  memo: GoMemo;
}

const limit: Absent = { absent: 'limit' };
const unsupported: Absent = { absent: 'unsupported' };

/** Which goroutines could wake which, read once: the caller checks that nothing ran meanwhile. */
export function readGraph(
  { memory, parts, memo }: GoProgram,
  goroutines: readonly ListedGoroutine[],
  clockNs: number,
): GoroutineGraph | Absent {
  const waiting = goroutines.filter(({ reason }) => reason !== null && sharedReasons.has(reason));
  if (waiting.length > parkedMax) return limit;
  const pages = new GoPages(memory);
  const module = findModule(pages, parts, memo);
  const heap = module === null || module.functions.returnsFirst ? null : GoHeap.find(pages, parts, memo);
  if (module === null || heap === null) return unsupported;
  const parked = waiting.map((goroutine) => {
    return { ...goroutine, ...readAwaited(pages, module, goroutine.address, goroutine.reason ?? '') };
  });
  const things = parked.flatMap((goroutine) => goroutine.things ?? []);
  const addresses = new Set(goroutines.map(({ address }) => address));
  const code = GoCode.of(pages, module, memo);
  const tracer = new GoTracer({ pages, module, heap, code }, addresses, things);
  const reached = new Set(tracer.traceVariables());
  for (const { address } of goroutines.filter(mayRun)) {
    const found = tracer.traceGoroutine(address, true);
    if (found === null) return unsupported;
    for (const thing of found) reached.add(thing);
  }
  const facts = parked.map(({ address, id, reason, since, at, things: awaited }): ParkedGoroutine => {
    const reaches = tracer.traceGoroutine(address, false);
    return {
      id,
      reason,
      sinceMs: since === 0 ? null : Math.max(0, Math.round((clockNs - since) / 1e6)),
      at,
      // Nothing is known of a stack that cannot be read.
      awaits: awaited === null || reaches === null ? null : awaited.map(hex),
      reaches: reaches ?? [],
    };
  });
  return tracer.isSpent ? limit : { parked: facts, reached: [...reached] };
}

/**
 * The common part of several readings of a program that does not rest: parked all the time in the same wait, and
 * reached in none of them. A pointer on its way from one place to another may be missed by one reading, hardly by each.
 */
export function mergeGraphs([first, ...others]: readonly GoroutineGraph[]): GoroutineGraph {
  const graph = { parked: first?.parked ?? [], reached: new Set(first?.reached) };
  for (const { parked, reached } of others) {
    for (const thing of reached) graph.reached.add(thing);
    const before = new Map(graph.parked.map((goroutine) => [goroutine.id, goroutine]));
    const isLasting = ({ id, awaits }: ParkedGoroutine): boolean =>
      before.get(id)?.awaits?.join() === awaits?.join();
    for (const { reaches } of [...parked.filter((one) => !isLasting(one))])
      for (const thing of reaches) graph.reached.add(thing);
    graph.parked = parked.filter(isLasting).map((goroutine) => ({
      ...goroutine,
      reaches: [...new Set([...goroutine.reaches, ...(before.get(goroutine.id)?.reaches ?? [])])],
    }));
  }
  return { parked: graph.parked, reached: [...graph.reached] };
}

/** Goroutines that the scheduler or the kernel may let go on. */
function mayRun({ reason }: ListedGoroutine): boolean {
  if (reason === null) return true;
  return !sharedReasons.has(reason) && !endlessReasons.has(reason) && !runtimeReasons.has(reason);
}
