import type { Memory } from '../../proc/mem.js';
import { Texts } from './memory.js';
import { readTable, symbolsOf, type Table } from './tables.js';

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
