import type { Absent } from '../../model/absence.js';
import {
  endlessReasons,
  type GoroutineGraph,
  type ParkedGoroutine,
  runtimeReasons,
  sharedReasons,
} from '../../model/goroutine-facts.js';
import { type Awaited, readAwaited } from './go-awaited.js';
import { findModule, type GoModule } from './go-module.js';
import { GoPages } from './go-pages.js';
import type { Part } from './go-search.js';
import { livePointers } from './go-stacks.js';
import type { Memory } from './mem.js';

/** More that wait for each other are not followed one by one. */
const parkedMax = 512;
const objectsMax = 400_000;
const tinyBytes = 16;

/** A goroutine as the list has it. `reason` null: it is not parked. */
export interface ListedGoroutine {
  address: number;
  id: number;
  reason: string | null;
  since: number;
}

interface Parked extends ListedGoroutine, Awaited {
  reason: string;
}

const limit: Absent = { absent: 'limit' };

/** Follows pointers as the collector does: which awaited things can be reached from what may still run. */
class Tracer {
  readonly #pages: GoPages;
  readonly #module: GoModule;
  readonly #goroutines: ReadonlySet<number>;
  readonly #visited = new Set<number>();
  /** Awaited things by the object, or the variable, that they lie in. */
  readonly #awaited: ReadonlyMap<number, number[]>;

  constructor(pages: GoPages, module: GoModule, goroutines: ReadonlySet<number>, awaited: readonly number[]) {
    this.#pages = pages;
    this.#module = module;
    this.#goroutines = goroutines;
    const places = new Map<number, number[]>();
    for (const thing of awaited) {
      const place = module.heap.object(thing)?.start ?? thing;
      places.set(place, [...(places.get(place) ?? []), thing]);
    }
    this.#awaited = places;
  }

  get isSpent(): boolean {
    return this.#pages.isSpent || this.#visited.size > objectsMax;
  }

  /** All that these words lead to, beside what was found before; `kept`: it counts as found before from now on. */
  trace(words: Iterable<number>, kept: boolean): string[] {
    const seen = kept ? this.#visited : new Set<number>();
    const found = new Set<string>();
    const queue = [...words];
    while (queue.length > 0 && !this.isSpent) {
      const word = queue.pop() ?? 0;
      const object = this.#module.heap.object(word);
      if (object === null) continue;
      // Small things without pointers share a block: what lies before an address is not part of it.
      const isShared = object.plain && object.end - object.start === tinyBytes;
      for (const thing of this.#awaited.get(object.start) ?? []) if (!isShared || word <= thing) found.add(hex(thing));
      if (seen.has(object.start) || this.#visited.has(object.start)) continue;
      seen.add(object.start);
      if (object.plain || this.#isScheduling(object.start)) continue;
      for (const value of this.#pages.words(object.start, object.end)) if (value > 4096) queue.push(value);
    }
    return [...found];
  }

  /** Goroutines and their waits belong to the scheduler: that it can reach them wakes none. */
  #isScheduling(object: number): boolean {
    return this.#goroutines.has(object) || this.#goroutines.has(this.#pages.word(object) ?? 0);
  }
}

const hex = (address: number): string => `0x${address.toString(16)}`;

/** Which goroutines could wake which, read once: whether it is one moment is for the caller to see. */
export function readGraph(
  memory: Memory,
  parts: readonly Part[],
  goroutines: readonly ListedGoroutine[],
  clockNs: number | null,
): GoroutineGraph | Absent {
  const waiting = goroutines.filter(({ reason }) => reason !== null && sharedReasons.has(reason));
  if (waiting.length > parkedMax) return limit;
  const pages = new GoPages(memory);
  const module = findModule(pages, parts);
  if (module === null) return { absent: 'unsupported' };
  const parked = waiting.map((goroutine): Parked => {
    const reason = goroutine.reason ?? '';
    return { ...goroutine, reason, ...readAwaited(pages, module, goroutine.address, reason) };
  });
  const addresses = new Set(goroutines.map(({ address }) => address));
  const tracer = new Tracer(pages, module, addresses, parked.flatMap(({ things }) => things ?? []));
  const reached = new Set<string>();
  for (const { from, to } of module.variables) {
    for (const thing of tracer.trace(pages.words(from, to), true)) reached.add(thing);
    for (const thing of parked.flatMap(({ things }) => things ?? []))
      if (thing >= from && thing < to) reached.add(hex(thing));
  }
  for (const { address, reason } of goroutines.filter(mayRun)) {
    const roots = livePointers(pages, module, address);
    if (roots === null) return { absent: reason === null ? 'failed' : 'unsupported' };
    for (const thing of tracer.trace(roots, true)) reached.add(thing);
  }
  const facts = parked.map(({ address, id, reason, since, at, things }): ParkedGoroutine => {
    const roots = livePointers(pages, module, address) ?? [];
    return {
      id,
      reason,
      sinceMs: since === 0 || clockNs === null ? null : Math.max(0, Math.round((clockNs - since) / 1e6)),
      at,
      awaits: things === null ? null : things.map(hex),
      reaches: tracer.trace(roots, false),
    };
  });
  return tracer.isSpent ? limit : { parked: facts, reached: [...reached] };
}

/** What the scheduler or the kernel may let go on. */
function mayRun({ reason }: ListedGoroutine): boolean {
  if (reason === null) return true;
  return !sharedReasons.has(reason) && !endlessReasons.has(reason) && !runtimeReasons.has(reason);
}
