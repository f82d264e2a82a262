import type { Absent } from '../../../../model/facts/absence.js';
import {
  endlessReasons,
  type GoroutineGraph,
  type ParkedGoroutine,
  runtimeReasons,
  sharedReasons,
} from '../../../../model/facts/goroutines.js';
import type { Memory } from '../../proc/mem.js';
import { readAwaited } from './awaited.js';
import { GoCode } from './code.js';
import { GoHeap } from './heap.js';
import { findModule, type GoMemo } from './module.js';
import { GoPages } from './pages.js';
import type { Part } from './search.js';
import { GoTracer, hex } from './tracer.js';

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
    const reason = goroutine.reason ?? '';
    return { ...goroutine, reason, ...readAwaited(pages, module, goroutine.address, reason) };
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
