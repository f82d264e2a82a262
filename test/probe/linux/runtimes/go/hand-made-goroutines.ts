import type { Memory } from '../../../../../src/probe/linux/proc/mem.js';
import { context } from '../hand-made-memory.js';

/** Of the runtime's table, as it begins in every version, and some more. */
const reasons = [
  ...['', 'GC assist marking', 'IO wait'],
  ...['force gc (idle)', 'GC sweep wait', 'chan receive', 'semacquire'],
];

export const reason = { forceGc: 3, sweep: 4, receive: 5, semacquire: 6 };
export const state = { running: 2, inCall: 3, waiting: 4, dead: 6, deadExtra: 11 };

export type Made = [status: number, id: number, reason: number];

/** As every program begins: main, then the runtime's own. */
export const first: Made[] = [
  [state.waiting, 1, reason.receive],
  [state.waiting, 2, reason.forceGc],
  [state.waiting, 3, reason.sweep],
];

/** So many more that wait. */
export const waiters = (count: number): Made[] =>
  Array.from({ length: count }, (_, index): Made => [state.waiting, index + 18, reason.semacquire]);

export const listAt = 0x1000;
export const tableAt = 0x2000;
export const tableBytes = 128 * 16;
const textsAt = 0x3000;
const elementsAt = 0x10_000;
const recordsAt = 0x1_000_000;
/** Go 1.19 packs them like this: what is read of one reaches into the next. */
const recordStride = 416;

const words = (...values: number[]): Buffer => Buffer.from(new BigUint64Array(values.map(BigInt)).buffer);

/** Texts as Go keeps them: a table of pointers and lengths, and what they point to. */
export function textsOf(texts: readonly string[], table: number, at: number): [bigint, Buffer][] {
  const bytes = Buffer.alloc(tableBytes);
  const pieces = texts.map((text, index): [bigint, Buffer] => {
    const address = at + index * 64;
    words(text === '' ? 0 : address, text.length).copy(bytes, index * 16);
    return [BigInt(address), Buffer.from(text)];
  });
  return [[BigInt(table), bytes], ...pieces];
}

export interface Making {
  /** Where the fields lie in each record. */
  fieldsAt?: number[];
  /** How often the last goroutine stands in the list. */
  times?: number;
  /** Something else in this memory. */
  beside?: [bigint, Buffer][];
  /** One byte that is not as it should be. */
  spoil?: { where: number; value: number };
}

/** A pointer to the goroutines, how many, and room for no more. */
export const listOf = (count: number): Buffer => words(elementsAt, count, count);

/** The memory of a Go program as far as its scheduler is concerned. */
export function memoryOf(
  made: readonly Made[],
  { fieldsAt = [144], times = 1, beside = [], spoil }: Making = {},
): Memory {
  const records = Buffer.alloc(made.length * recordStride + 512);
  for (const [index, [status, id, why]] of made.entries()) {
    for (const place of fieldsAt) {
      const at = index * recordStride + place;
      records.writeUInt32LE(status, at);
      records.writeBigUInt64LE(BigInt(id), at + 8);
      records.writeUInt8(why, at + 32);
    }
  }
  if (spoil !== undefined) records[spoil.where % records.length] = spoil.value;
  const pointers = made.map((_, index) => recordsAt + index * recordStride);
  const all = [...pointers, ...new Array<number>(times - 1).fill(pointers.at(-1) ?? 0)];
  return context(
    [],
    [BigInt(listAt), listOf(all.length)],
    [BigInt(elementsAt), words(...all)],
    [BigInt(recordsAt), records],
    ...textsOf(reasons, tableAt, textsAt),
    ...beside,
  ).memory;
}
