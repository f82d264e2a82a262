import { isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { Texts, wordAt } from './memory.js';

/** A table that libjvm.so publishes about itself, made for the Serviceability Agent. An empty first column ends it. */
interface Table<Column extends string> {
  of: 'Struct' | 'Type';
  columns: readonly [Column, ...Column[]];
}

const tableSymbol = ({ of }: Table<string>): string => `gHotSpotVM${of}s`;
const strideSymbol = ({ of }: Table<string>): string => `gHotSpotVM${of}EntryArrayStride`;
const columnSymbol = ({ of }: Table<string>, column: string): string => `gHotSpotVM${of}Entry${column}Offset`;

/** The symbols by which the table is found. */
function symbolsOf(table: Table<string>): string[] {
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
function readTable<Column extends string>(
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

const structTable = {
  of: 'Struct',
  columns: ['TypeName', 'FieldName', 'TypeString', 'IsStatic', 'Offset', 'Address'],
} as const satisfies Table<string>;
const typeTable = { of: 'Type', columns: ['TypeName', 'Size'] } as const satisfies Table<string>;

export const structSymbols = [...symbolsOf(structTable), ...symbolsOf(typeTable)];

const offsetMax = 65_536;

export interface HotspotField {
  /** The type as C++ writes it; null where the virtual machine does not publish it. */
  type: string | null;
  isStatic: boolean;
  /** The offset in the structure; for a static field, its address. */
  place: bigint;
}

/** By `Structure::field`. */
export type HotspotFields = ReadonlyMap<string, HotspotField>;

/**
 * The fields of these structures, as the running virtual machine describes them. null: the memory there is not such a
 * table.
 */
export function readStructs(
  memory: Memory,
  addressOf: (symbol: string) => bigint | null,
  structures: ReadonlySet<string>,
): Map<string, HotspotField> | null {
  const texts = new Texts(memory);
  const fields = new Map<string, HotspotField>();
  const rows = readTable(memory, addressOf, structTable);
  if (rows === null) return null;
  for (const row of rows) {
    const structure = texts.at(row.word('TypeName'));
    const field = texts.at(row.word('FieldName'));
    if (structure === null || field === null) return null;
    if (!structures.has(structure)) continue;
    const type = row.word('TypeString');
    const isStatic = row.flag('IsStatic');
    fields.set(`${structure}::${field}`, {
      type: type === 0n ? null : texts.at(type),
      isStatic,
      place: row.word(isStatic ? 'Address' : 'Offset'),
    });
  }
  return fields;
}

/** The sizes of these structures, in bytes; missing structures are left out. */
export function readSizes(
  memory: Memory,
  addressOf: (symbol: string) => bigint | null,
  structures: ReadonlySet<string>,
): Map<string, number> {
  const texts = new Texts(memory);
  const sizes = new Map<string, number>();
  for (const row of readTable(memory, addressOf, typeTable) ?? []) {
    const structure = texts.at(row.word('TypeName'));
    const size = row.word('Size');
    if (structure !== null && structures.has(structure) && size <= BigInt(offsetMax))
      sizes.set(structure, Number(size));
  }
  return sizes;
}

/** The offset of a field in its structure. null: there is no such field, or not of this type. */
export function offsetOf(fields: HotspotFields, name: string, type?: RegExp): number | null {
  const field = fields.get(name);
  if (field === undefined || field.isStatic || field.place > BigInt(offsetMax)) return null;
  return type === undefined || type.test(field.type ?? '') ? Number(field.place) : null;
}

/** Address of a static field, relative to the load address of the library. */
export function staticOf(fields: HotspotFields, name: string, type: RegExp, base: bigint): bigint | null {
  const field = fields.get(name);
  if (field === undefined || !field.isStatic || field.place < base) return null;
  return type.test(field.type ?? '') ? field.place - base : null;
}
