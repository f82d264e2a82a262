import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { couldBeMain, recordBytes } from './layout.js';
import { provePlace, provingGoroutines, readList } from './list.js';
import { pointerAt, readAll, reasonNames } from './memory.js';

/** A part of memory, with its end. */
export interface Part {
  from: number;
  to: number;
}

/** Only the largest programs have more variables than this, and a search through them takes too long. */
const dataBytesMax = 16 * 1024 * 1024;
const candidatesMax = 5000;
/** Main, and the three goroutines that the runtime starts before it. */
const listLengthMin = 4;
/** A list that has grown item by item has room for at most twice as many, rounded up. */
const roomMax = 4;

/** The first entries of the table of reasons, in every version so far: after the empty entry. */
const firstReasons = ['GC assist marking', 'IO wait'];

/** Read as halves of pointers: there are many, and most are ruled out by a single comparison. */
interface Data extends Part {
  halves: Uint32Array;
}

function readData(memory: Memory, parts: readonly Part[]): Data[] {
  const total = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  if (total > dataBytesMax) return [];
  return parts.flatMap(({ from, to }) => {
    const bytes = readAll(memory, from, (to - from) & ~7);
    if (isAbsent(bytes)) return [];
    const { buffer, byteOffset, length } = bytes;
    return [{ from, to, halves: new Uint32Array(buffer.slice(byteOffset, byteOffset + length)) }];
  });
}

/** Three texts, each a pointer and a length: the empty text, and the first two reasons. */
function reasonTablesIn({ from, halves }: Data): number[] {
  const [first = '', second = ''] = firstReasons;
  const found: number[] = [];
  for (let at = 0; at + 12 <= halves.length; at += 2) {
    if (halves[at + 6] !== first.length || halves[at + 10] !== second.length) continue;
    if ([0, 1, 2, 3, 7, 11].every((half) => halves[at + half] === 0)) found.push(from + at * 4);
  }
  return found;
}

function findReasons(memory: Memory, data: readonly Data[]): number | null {
  for (const table of data.flatMap(reasonTablesIn)) {
    const nameOf = reasonNames(memory, table);
    if (firstReasons.every((reason, index) => nameOf(index + 1) === reason)) return table;
  }
  return null;
}

interface Candidate {
  address: number;
  elements: number;
}

/** Everything that has the form of a grown list: an address, a length, and room for some more. */
function listsIn({ from, halves }: Data): Candidate[] {
  const found: Candidate[] = [];
  for (let at = 0; at + 6 <= halves.length; at += 2) {
    const length = halves[at + 2] ?? 0;
    const room = halves[at + 4] ?? 0;
    if (length < listLengthMin || room < length || room > length * roomMax) continue;
    if (halves[at + 3] !== 0 || halves[at + 5] !== 0 || (halves[at] ?? 0) % 8 !== 0) continue;
    found.push({ address: from + at * 4, elements: (halves[at] ?? 0) + (halves[at + 1] ?? 0) * 2 ** 32 });
  }
  return found;
}

/** The list itself is in the heap, not among the variables. */
function candidates(data: readonly Data[]): Candidate[] {
  return data
    .flatMap(listsIn)
    .filter(({ elements }) => !data.some(({ from, to }) => elements >= from && elements < to));
}

function findGoroutines(memory: Memory, data: readonly Data[], reasons: number): number | null {
  const nameOf = reasonNames(memory, reasons);
  const lists = candidates(data);
  if (lists.length > candidatesMax) return null;
  let found: number | null = null;
  for (const { address, elements } of lists) {
    const pointer = readAll(memory, elements, 8);
    const main = isAbsent(pointer) ? pointer : readAll(memory, pointerAt(pointer, 0), recordBytes);
    if (isAbsent(main) || !couldBeMain(main)) continue;
    const list = readList(memory, address, provingGoroutines);
    if (isAbsent(list) || provePlace(memory, list, nameOf) === null) continue;
    // A garbage collection keeps a copy for a while: then the two cannot be distinguished.
    if (found !== null) return null;
    found = address;
  }
  return found;
}

/** Finds the list of goroutines in a program without symbols, among its variables, by its form. */
export function searchPlaces(
  memory: Memory,
  parts: readonly Part[],
): { goroutines: number; reasons: number } | null {
  const data = readData(memory, parts);
  const reasons = findReasons(memory, data);
  const goroutines = reasons === null ? null : findGoroutines(memory, data, reasons);
  return reasons === null || goroutines === null ? null : { goroutines, reasons };
}
