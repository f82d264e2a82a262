import { type ElfObject, exportedPrefix } from '../elf-symbols.js';
import { CodeReader, flow } from '../x64-code.js';
import type { GoFunction } from './functions.js';
import type { GoMemo, GoModule } from './module.js';
import type { GoPages } from './pages.js';
import type { GoFrame } from './stacks.js';

/** Limit of the code that is followed for one snapshot. */
const codeBytesMax = 6 * 1024 * 1024;
const functionBytesMax = 512 * 1024;
const processorsMax = 4096;

/** Texts, types and tables hold no variables, and code of the runtime is not code of the program. */
const notFollowed = /^(runtime\.|type[.:]|go[.:](string|func|cuinfo|importpath|typelink)|gclocals)/;
/** A table of methods begins with its interface, which was asked for before the table was made. */
const isMethodTable = /^go[.:]itab\./;
const interfaceBytes = 8;
const isRuntime = (name: string): boolean => name.startsWith('runtime.');
/** Finds a method by its name or number: any method of any type may be meant. */
const findsMethods = /^reflect\.Value\.Method(ByName)?$/;

/** What code and variables of a program lead to, by its machine instructions. */
export class GoCode {
  readonly #pages: GoPages;
  readonly #module: GoModule;
  readonly #objects: readonly ElfObject[];
  readonly #shift: number;
  readonly #named: Map<number, number[]>;
  #bytes = 0;

  private constructor(
    pages: GoPages,
    module: GoModule,
    { objects, named }: { objects: readonly ElfObject[]; named: GoMemo['named'] },
    shift: number,
  ) {
    this.#pages = pages;
    this.#named = named;
    this.#module = module;
    this.#objects = objects;
    this.#shift = shift;
  }

  /** null: the variables cannot be identified, or C may call into the program. */
  static of(pages: GoPages, module: GoModule, { named, objects }: GoMemo): GoCode | null {
    const start = objects?.find(({ name }) => name === 'runtime.firstmoduledata')?.from;
    if (process.arch !== 'x64' || objects == null || start === undefined) return null;
    if (objects.some(({ name }) => name.startsWith(exportedPrefix))) return null;
    return new GoCode(pages, module, { objects, named }, module.record - start);
  }

  /** The limit is reached, so not all code was followed. */
  get isSpent(): boolean {
    return this.#bytes > codeBytesMax;
  }

  /** The function that a word points into; null: none, or a function of the runtime. */
  functionAt(word: number): GoFunction | null {
    const found = this.#module.functions.find(word);
    return found === null || isRuntime(found.name) ? null : found;
  }

  /** The variable or constant at an address, if it can lead on. */
  objectAt(address: number): ElfObject | null {
    const wanted = address - this.#shift;
    let low = 0;
    let high = this.#objects.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#objects[middle]?.from ?? 0) <= wanted) low = middle;
      else high = middle;
    }
    const found = this.#objects[low];
    if (found === undefined || wanted < found.from) return null;
    if (wanted >= found.to) return this.#unnamedAt(address, found, this.#objects[low + 1]);
    if (notFollowed.test(found.name)) return null;
    const from = found.from + (isMethodTable.test(found.name) ? interfaceBytes : 0);
    return { name: found.name, from: from + this.#shift, to: found.to + this.#shift };
  }

  /** Initial values that the linker places (`main..stmp_1`) have no symbols: between two symbols all is one variable. */
  #unnamedAt(address: number, before: ElfObject, next: ElfObject | undefined): ElfObject | null {
    const part = this.#module.variables.find(({ from, to }) => address >= from && address < to);
    if (part === undefined) return null;
    const from = Math.max(part.from, before.to + this.#shift);
    const to = next === undefined ? part.to : Math.min(part.to, next.from + this.#shift);
    return { name: '', from: from + (-from & 7), to };
  }

  /** Variables that a function may reach beside those that it names: all, where it calls methods by their names. */
  reachedUnnamed({ name }: GoFunction): number[] {
    if (!findsMethods.test(name)) return [];
    return this.#objects
      .filter((object) => !notFollowed.test(object.name))
      .map(({ from }) => from + this.#shift);
  }

  /** Variables of the runtime itself: the pending timers are reached from these. */
  runtimeVariables(): ElfObject[] {
    return this.#module.variables.flatMap(({ from, to }) =>
      this.#objects
        .filter(
          (object) =>
            isRuntime(object.name) && object.from + this.#shift >= from && object.to + this.#shift <= to,
        )
        .map(({ name, from: start, to: end }) => ({
          name,
          from: start + this.#shift,
          to: end + this.#shift,
        })),
    );
  }

  /** Records of the scheduler's processors (`p`). */
  processors(): ReadonlySet<number> {
    const list = this.#objects.find(({ name }) => name === 'runtime.allp');
    const at = list === undefined ? 0 : list.from + this.#shift;
    const [first = 0, length = 0] = at === 0 ? [] : this.#pages.words(at, at + 16);
    return new Set(this.#pages.words(first, first + Math.min(length, processorsMax) * 8));
  }

  /** Everything that a function names: other functions, variables, constants. */
  namedBy(found: GoFunction): number[] {
    const named = this.#named.get(found.entry) ?? this.#walk(found, found.entry);
    this.#named.set(found.entry, named);
    return named;
  }

  /** What a function can still name once it goes on from its present place. */
  namedFrom({ found, pc }: GoFrame): number[] {
    return isRuntime(found.name) ? [] : this.#walk(found, pc);
  }

  #walk(found: GoFunction, start: number): number[] {
    const length = found.end - found.entry;
    const code = length > functionBytesMax ? null : this.#pages.bytes(found.entry, length);
    this.#bytes += length;
    if (code === null || this.isSpent) {
      this.#bytes = codeBytesMax + 1;
      return [];
    }
    const named = new Set<number>();
    const seen = new Uint8Array(length);
    const reader = new CodeReader(code, found.entry);
    const queue = [start - found.entry];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      while (at < length && seen[at] === 0) {
        seen[at] = 1;
        if (!reader.read(at)) return everyTarget(code, found.entry);
        // A computed jump, as of a switch: all of the function counts.
        if (reader.flow === flow.unknown) return everyInstruction(reader, found, code);
        const { target } = reader;
        const isInside = target >= found.entry && target < found.end;
        if (isInside && reader.flow !== flow.on) queue.push(target - found.entry);
        else if (target !== 0 && !isInside) named.add(target);
        if (reader.flow === flow.ends || reader.flow === flow.jumpAndEnds) break;
        at += reader.length;
      }
    }
    return [...named];
  }
}

function everyInstruction(reader: CodeReader, { entry, end }: GoFunction, code: Buffer): number[] {
  const named = new Set<number>();
  for (let at = 0; at < code.length; at += reader.length) {
    if (!reader.read(at)) return everyTarget(code, entry);
    const { target } = reader;
    if (target !== 0 && (target < entry || target >= end)) named.add(target);
  }
  return [...named];
}

/** For code that is not understood: every four bytes may be a distance. */
function everyTarget(code: Buffer, entry: number): number[] {
  const targets: number[] = [];
  for (let at = 0; at + 4 <= code.length; at += 1) targets.push(entry + at + 4 + code.readInt32LE(at));
  return targets;
}
