import type { GoCode } from './code.js';
import type { GoHeap } from './heap.js';
import { LateMethods } from './late-methods.js';
import type { GoModule } from './module.js';
import type { GoPages } from './pages.js';
import { type GoStack, livePointers, readStack } from './stacks.js';
import { GoTypes } from './types.js';

const objectsMax = 400_000;
/** The size of blocks that several small things without pointers share. */
const tinyBytes = 16;
const addressMin = 4096;
/** Function values keep copies of small values only. */
const closureBytesMax = 1024;
/** A table of methods that the runtime made: the type and the interface first, then the code. */
const methods = { type: 8, first: 24, max: 64 } as const;

/**
 * A processor keeps some free pages of the heap at hand: behind the pointer to its cache, which lies outside the heap,
 * stands where they begin. That is a number, not a pointer, but the first object of those pages has the same address.
 */
const pageCache = { wordsMax: 16, cacheMin: 2 ** 46, alignment: 64 * 8192 } as const;

/** In the record of a stack: where it begins and ends, twice the limit for its use, and (after two words) the thread. */
const stackRecord = { words: 7, to: 1, thread: 48, guardMax: 8192 } as const;

export const hex = (address: number): string => `0x${address.toString(16)}`;

/**
 * Follows pointers as the garbage collector does, to see which awaited things can be reached. The collector treats all
 * variables of a program as reachable. Where the program's symbols and code can be read, only variables count that the
 * code which may still run can name.
 */
export class GoTracer {
  readonly #pages: GoPages;
  readonly #module: GoModule;
  readonly #heap: GoHeap;
  readonly #code: GoCode | null;
  readonly #goroutines: ReadonlySet<number>;
  /** Awaited things by the heap object or variable that they lie in. */
  readonly #awaited = new Map<number, number[]>();
  /** Awaited things in variables without a name: any code may use them. */
  readonly #unplaced: string[] = [];
  readonly #visited = new Set<number>();
  readonly #types: GoTypes;
  readonly #late = new LateMethods(null);
  readonly #processors: ReadonlySet<number>;
  /** Memory that may lead on could not be read. */
  #isTorn = false;

  constructor(
    { pages, module, heap, code }: { pages: GoPages; module: GoModule; heap: GoHeap; code: GoCode | null },
    goroutines: ReadonlySet<number>,
    awaited: readonly number[],
  ) {
    this.#pages = pages;
    this.#module = module;
    this.#heap = heap;
    this.#types = new GoTypes(pages, module);
    this.#code = code;
    this.#goroutines = goroutines;
    this.#processors = code?.processors() ?? new Set();
    for (const thing of awaited) {
      const place = heap.object(thing)?.start ?? code?.objectAt(thing)?.from;
      if (place === undefined) this.#unplaced.push(hex(thing));
      else this.#awaited.set(place, [...(this.#awaited.get(place) ?? []), thing]);
    }
  }

  /** Not everything was followed, because of a limit or of memory that is not readable: then nothing is known. */
  get isSpent(): boolean {
    return (
      this.#isTorn || this.#pages.isSpent || this.#visited.size > objectsMax || this.#code?.isSpent === true
    );
  }

  /**
   * What is reached whichever goroutine runs: by variables, or only by the variables of the runtime, which lead to the
   * timers.
   */
  traceVariables(): string[] {
    const code = this.#code;
    if (code === null) {
      const found = this.#module.variables.flatMap(({ from, to }) =>
        this.#trace(this.#words(from, to), true),
      );
      return [...this.#unplaced, ...found];
    }
    const heap: number[] = [];
    for (const { from, to } of code.runtimeVariables())
      for (const word of this.#words(from, to))
        if (word >= addressMin && this.#heap.object(word) !== null) heap.push(word);
    return [...this.#unplaced, ...this.#trace(heap, true)];
  }

  /** What a goroutine reaches, beside what was found before; null: its stack cannot be read. `kept`: as in `#trace`. */
  traceGoroutine(address: number, kept: boolean): string[] | null {
    const stack = readStack(this.#pages, this.#module, address);
    const words = stack === null ? null : livePointers(this.#pages, this.#module, address, stack);
    if (stack === null || words === null) return null;
    return this.#trace([...words, ...this.#codeOf(stack)], kept);
  }

  #codeOf({ frames, whole }: GoStack): number[] {
    const code = this.#code;
    if (code === null) return [];
    // Without its outer calls, the function's later actions are not known.
    return whole ? frames.flatMap((frame) => code.namedFrom(frame)) : frames.map(({ found }) => found.entry);
  }

  /** All that these words lead to, beside what was found before; `kept`: it counts as found before from now on. */
  #trace(words: Iterable<number>, kept: boolean): string[] {
    const seen = kept ? this.#visited : new Set<number>();
    const late = kept ? this.#late : new LateMethods(this.#late);
    const found = new Set<string>();
    const queue = [...words];
    const isNew = (place: number): boolean => {
      if (seen.has(place) || this.#visited.has(place)) return false;
      seen.add(place);
      return true;
    };
    while (queue.length > 0 && !this.isSpent) {
      const word = queue.pop() ?? 0;
      if (word < addressMin) continue;
      const object = this.#heap.object(word);
      const place = object ?? this.#variableAt(word);
      if (place === null) {
        for (const next of this.#codeAt(word, isNew, late)) queue.push(next);
        continue;
      }
      // Words before an address in a shared block are not part of the object.
      const isShared = object?.plain === true && object.end - object.start === tinyBytes;
      for (const thing of this.#awaited.get(place.start) ?? [])
        if (!isShared || word <= thing) found.add(hex(thing));
      if (!isNew(place.start) || this.#isScheduling(place.start)) continue;
      if (place.plain && !this.#isClosure(place)) continue;
      for (const value of this.#pointers(place)) queue.push(value);
    }
    return [...found];
  }

  /** A function value with plain numbers: the collector does not follow the address of the code before them. */
  #isClosure({ start, end }: { start: number; end: number }): boolean {
    if (end - start > closureBytesMax) return false;
    const entry = this.#pages.word(start) ?? 0;
    return this.#code?.functionAt(entry)?.entry === entry;
  }

  /** The words of an object, without numbers of the runtime that look like pointers to the object after some memory. */
  #pointers({ start, end }: { start: number; end: number }): Float64Array {
    const words = this.#words(start, end);
    const number = this.#processors.has(start) ? this.#pageCacheIn(words) : this.#stackEndIn(words);
    return number === null ? words : words.map((word, index) => (index === number ? 0 : word));
  }

  #pageCacheIn(words: Float64Array): number | null {
    const { wordsMax, cacheMin, alignment } = pageCache;
    const at = words.subarray(0, wordsMax).findIndex((word, index) => {
      const before = words[index - 1] ?? 0;
      return word % alignment === 0 && word > 0 && before >= cacheMin && this.#heap.object(before) === null;
    });
    return at < 0 ? null : at;
  }

  /** The record of a thread's own stack, which is not in the list of goroutines: it and the thread name each other. */
  #stackEndIn(words: Float64Array): number | null {
    const [from = 0, to = 0, guard = 0, second = 0, , , thread = 0] = words.subarray(0, stackRecord.words);
    if (guard !== second || guard <= from || guard - from > stackRecord.guardMax || to <= guard) return null;
    const first = this.#pages.word(thread) ?? 0;
    return thread !== 0 && this.#pages.word(first + stackRecord.thread) === thread ? stackRecord.to : null;
  }

  #words(from: number, to: number): Float64Array {
    const words = this.#pages.words(from, to);
    if (words.length < Math.floor((to - from) / 8)) this.#isTorn = true;
    return words;
  }

  #variableAt(word: number): { start: number; end: number; plain: boolean } | null {
    const variable = this.#code?.objectAt(word);
    if (variable == null) return null;
    const plain = this.#module.plain.some(({ from, to }) => word >= from && word < to);
    return { start: variable.from, end: variable.to, plain };
  }

  /** What the function or type at a word, or the methods in a table there, lead to. */
  #codeAt(word: number, isNew: (place: number) => boolean, late: LateMethods): readonly number[] {
    const code = this.#code;
    if (code === null) return [];
    const found = code.functionAt(word);
    if (found !== null)
      return isNew(found.entry) ? [...code.namedBy(found), ...code.reachedUnnamed(found)] : [];
    if (word % 8 !== 0 || this.#module.functions.find(word) !== null || !isNew(word)) return [];
    const type = this.#types.at(word);
    if (type !== null) return [...late.add(type), ...type.parts];
    const first = this.#pages.word(word) ?? 0;
    // A function value: a constant with the address of its code.
    if (this.#module.functions.find(first) !== null) return [first];
    const table: number[] = [];
    for (const method of this.#pages.words(word + methods.first, word + methods.first + methods.max * 8)) {
      if (this.#module.functions.find(method) === null) break;
      table.push(method);
    }
    const own = this.#pages.word(word + methods.type) ?? 0;
    return this.#types.at(own) === null ? table : [own, ...table];
  }

  /** Goroutines and their waits belong to the scheduler: the scheduler can reach them, but that wakes none. */
  #isScheduling(object: number): boolean {
    return this.#goroutines.has(object) || this.#goroutines.has(this.#pages.word(object) ?? 0);
  }
}
