import { type Absent, isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { findPlace, type ReasonName, recordBytes } from './layout.js';
import { failed, pointerAt, readAll } from './memory.js';

/** Further goroutines are counted and not read: this many take some 30 ms. */
const goroutinesMax = 10_000;
/** No list of goroutines is longer: a larger number means that this is not the list. */
const listLengthMax = 100_000_000;
/** This many of the first goroutines prove where the fields lie. */
export const provingGoroutines = 16;

/** The runtime's list of all goroutines: a pointer to their addresses, and how many there are. */
export interface GoroutineList {
  addresses: Float64Array;
  /** How many goroutines were not read. */
  unread: number;
}

export function readList(memory: Memory, address: number, max = goroutinesMax): GoroutineList | Absent {
  const list = readAll(memory, address, 16);
  if (isAbsent(list)) return list;
  const length = pointerAt(list, 8);
  if (length === 0 || length > listLengthMax) return failed;
  const readable = Math.min(length, max);
  const pointers = readAll(memory, pointerAt(list, 0), readable * 8);
  if (isAbsent(pointers)) return pointers;
  const addresses = new Float64Array(readable);
  for (let index = 0; index < readable; index += 1) addresses[index] = pointerAt(pointers, index * 8);
  return { addresses, unread: length - readable };
}

/** Where the fields of each goroutine lie; null: not a list of goroutines, or of an unknown version. */
export function provePlace(memory: Memory, { addresses }: GoroutineList, nameOf: ReasonName): number | null {
  const records: Buffer[] = [];
  for (const address of addresses.subarray(0, provingGoroutines)) {
    const record = readAll(memory, address, recordBytes);
    if (isAbsent(record)) return null;
    records.push(record);
  }
  return findPlace(records, nameOf);
}
