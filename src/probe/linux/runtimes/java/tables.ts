import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { wordAt } from './memory.js';

/** A table that libjvm.so publishes about itself, made for the Serviceability Agent. An empty first column ends it. */
export interface Table<Column extends string> {
  of: 'Struct' | 'Type';
  columns: readonly [Column, ...Column[]];
}

const tableSymbol = ({ of }: Table<string>): string => `gHotSpotVM${of}s`;
const strideSymbol = ({ of }: Table<string>): string => `gHotSpotVM${of}EntryArrayStride`;
const columnSymbol = ({ of }: Table<string>, column: string): string => `gHotSpotVM${of}Entry${column}Offset`;

/** The symbols by which the table is found. */
export function symbolsOf(table: Table<string>): string[] {
  const columns = table.columns.map((column) => columnSymbol(table, column));
  return [tableSymbol(table), strideSymbol(table), ...columns];
}

const entriesMax = 8192;
const strideMax = 256;
/** Rows per read: the end of the table is not known in advance. */
const entriesAtOnce = 64;

class Row<Column extends string> {
  readonly #bytes: Buffer;
  readonly #at: Record<Column, number>;

  constructor(bytes: Buffer, at: Record<Column, number>) {
    this.#bytes = bytes;
    this.#at = at;
  }

  word(column: Column): bigint {
    return this.#bytes.readBigUInt64LE(this.#at[column]);
  }

  flag(column: Column): boolean {
    return this.#bytes.readInt32LE(this.#at[column]) !== 0;
  }
}

/** null: the memory there is not such a table. */
export function readTable<Column extends string>(
  memory: Memory,
  addressOf: (symbol: string) => bigint | null,
  table: Table<Column>,
): Row<Column>[] | null {
  const value = (symbol: string): bigint | null => {
    const address = addressOf(symbol);
    return address === null ? null : wordAt(memory, address);
  };
  const start = value(tableSymbol(table));
  const size = Number(value(strideSymbol(table)) ?? 0n);
  if (start === null || size < 8 || size > strideMax) return null;
  const at = {} as Record<Column, number>;
  for (const column of table.columns) {
    at[column] = Number(value(columnSymbol(table, column)) ?? -1n);
    if (at[column] < 0 || at[column] + 8 > size) return null;
  }
  const rows: Row<Column>[] = [];
  for (const entry of entries(memory, start, size)) {
    const row = new Row(entry, at);
    // The last row is empty; a table without an empty row is not valid.
    if (row.word(table.columns[0]) === 0n) return rows;
    rows.push(row);
  }
  return null;
}

function* entries(memory: Memory, start: bigint, size: number): Generator<Buffer> {
  for (let index = 0; index < entriesMax; index += entriesAtOnce) {
    const bytes = memory.read(start + BigInt(index * size), entriesAtOnce * size);
    if (isAbsent(bytes)) return;
    for (let at = 0; at + size <= bytes.length; at += size) yield bytes.subarray(at, at + size);
    if (bytes.length < entriesAtOnce * size) return;
  }
}
