import type { ElfObject } from '../elf-symbols.js';
import { GoFunctions } from './functions.js';
import type { GoPages } from './pages.js';
import type { Part } from './search.js';

/** Words of the record that the linker makes of a program (`moduledata`), the same since Go 1.18. */
const word = {
  functions: 0,
  names: 1,
  table: 13,
  tableLength: 14,
  text: 22,
  plainData: 24,
  data: 26,
  bss: 28,
  plainBss: 30,
} as const;
/** Where types begin and end, and the maps of frames begin: Go 1.20 put two words before them. */
const lateWords = { old: { types: 35, maps: 38 }, since120: { types: 37, maps: 40 } } as const;
const recordWords = 48;
const namesBytesMax = 256;

/** What a Go program records about itself: its functions, and its variables with pointers. */
export interface GoModule {
  /** Address of the linker's record of the program. */
  record: number;
  functions: GoFunctions;
  variables: Part[];
  /** Its variables without pointers. */
  plain: Part[];
  /** The records of its types; places there count from its beginning. */
  types: Part;
  /** Where its code begins: places of methods count from here. */
  text: number;
}

/** Earlier results for a program at the same addresses: a search takes some 20 ms. */
export interface GoMemo {
  record: number | null;
  spans: number | null;
  /** What each function names. */
  named: Map<number, number[]>;
  /** The variables of the program by name; null: they were stripped; undefined: not read yet. */
  objects: readonly ElfObject[] | null | undefined;
}

/** Searches the variables for the linker's record, and verifies it; null: not found, or of an unknown version. */
export function findModule(pages: GoPages, parts: readonly Part[], memo: GoMemo): GoModule | null {
  const whole = joined(parts);
  if (memo.record !== null) return readModule(pages, memo.record, whole);
  for (const { from, to } of whole) {
    const words = pages.words(from, to);
    for (let at = 0; at + recordWords <= words.length; at += 1) {
      const module = isRecord(words, at) ? readModule(pages, from + at * 8, whole) : null;
      if (module === null) continue;
      memo.record = module.record;
      return module;
    }
  }
  return null;
}

/** The places of three texts, each a pointer with the same length twice: only the linker's record has this form. */
function isRecord(words: Float64Array, at: number): boolean {
  const [table = 0, names = 0, length = 0, room = 0] = words.subarray(at, at + 4);
  if (table <= 4096 || names <= table || names - table > namesBytesMax || length === 0) return false;
  return length === room && words[at + word.tableLength] === words[at + word.tableLength + 1];
}

/** Joins neighbours. */
export function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const { from, to } of [...parts].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && last.to === from) last.to = to;
    else all.push({ from, to });
  }
  return all;
}

function readModule(pages: GoPages, address: number, parts: readonly Part[]): GoModule | null {
  const record = pages.words(address, address + recordWords * 8);
  if (!isRecord(record, 0)) return null;
  const at = (index: number): number => record[index] ?? 0;
  const length = at(word.table) + at(word.tableLength) - at(word.functions);
  const functions = GoFunctions.read(pages, at(word.functions), length, at(word.text));
  if (functions === null || functions.namesAt !== at(word.names) - at(word.functions)) return null;
  const late = functions.isOld ? lateWords.old : lateWords.since120;
  functions.maps = at(late.maps);
  const part = (start: number): Part => ({ from: at(start), to: at(start + 1) });
  const variables = [word.data, word.bss].map(part);
  const plain = [word.plainData, word.plainBss].map(part);
  const isOwn = ({ from, to }: Part): boolean =>
    from <= to && parts.some((part) => from >= part.from && to <= part.to);
  return variables.every(isOwn)
    ? { record: address, functions, variables, plain, types: part(late.types), text: at(word.text) }
    : null;
}
