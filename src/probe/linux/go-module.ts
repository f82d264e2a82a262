import { GoFunctions } from './go-functions.js';
import { GoHeap } from './go-heap.js';
import type { GoPages } from './go-pages.js';
import type { Part } from './go-search.js';

/** Words of the record that the linker makes of a program (`moduledata`), the same since Go 1.18. */
const word = { functions: 0, names: 1, table: 13, tableLength: 14, text: 22, data: 26, bss: 28 } as const;
/** Where the maps of frames begin: Go 1.20 put two words before it. */
const mapsWords = [38, 40];
const recordWords = 48;
const namesBytesMax = 256;

/** What a Go program knows of itself: its functions, its variables with pointers, its heap. */
export interface GoModule {
  functions: GoFunctions;
  variables: Part[];
  heap: GoHeap;
}

/** Searches the variables for the linker's record, which has to prove itself; null: not found, or of a version not known. */
export function findModule(pages: GoPages, parts: readonly Part[]): GoModule | null {
  const whole = joined(parts);
  for (const { from, to } of whole) {
    const words = pages.words(from, to);
    for (let at = 0; at + recordWords <= words.length; at += 1) {
      if (!isRecord(words, at)) continue;
      const module = readModule(pages, words.subarray(at, at + recordWords), whole);
      if (module !== null) return module;
    }
  }
  return null;
}

/** Three texts' places, each a pointer with a length twice over: as the linker makes it, and nothing else. */
function isRecord(words: Float64Array, at: number): boolean {
  const [table = 0, names = 0, length = 0, room = 0] = words.subarray(at, at + 4);
  if (table <= 4096 || names <= table || names - table > namesBytesMax || length === 0) return false;
  return length === room && words[at + word.tableLength] === words[at + word.tableLength + 1];
}

/** Neighbours as one. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const { from, to } of [...parts].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && last.to === from) last.to = to;
    else all.push({ from, to });
  }
  return all;
}

function readModule(pages: GoPages, record: Float64Array, parts: readonly Part[]): GoModule | null {
  const at = (index: number): number => record[index] ?? 0;
  const length = at(word.table) + at(word.tableLength) - at(word.functions);
  const functions = GoFunctions.read(pages, at(word.functions), length, at(word.text));
  if (functions === null || functions.namesAt !== at(word.names) - at(word.functions)) return null;
  functions.maps = at(functions.isOld ? (mapsWords[0] ?? 0) : (mapsWords[1] ?? 0));
  const variables = [word.data, word.bss].map((start) => ({ from: at(start), to: at(start + 1) }));
  const areOwn = variables.every(({ from, to }) => parts.some((part) => from >= part.from && to <= part.to && from <= to));
  if (!areOwn) return null;
  for (const { from, to } of parts) {
    const heap = GoHeap.find(pages, from, to);
    if (heap !== null) return { functions, variables, heap };
  }
  return null;
}
