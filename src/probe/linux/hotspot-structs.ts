import { isAbsent } from '../../model/absence.js';
import { Texts, wordAt } from './hotspot-memory.js';
import type { Memory } from './mem.js';

/** Names under which libjvm.so publishes how its structures are laid out, made for the Serviceability Agent. */
const table = 'gHotSpotVMStructs';
const stride = 'gHotSpotVMStructEntryArrayStride';
const columns = ['TypeName', 'FieldName', 'TypeString', 'IsStatic', 'Offset', 'Address'] as const;
const columnSymbol = (column: Column): string => `gHotSpotVMStructEntry${column}Offset`;

export const structSymbols = [table, stride, ...columns.map(columnSymbol)];

const entriesMax = 8192;
const strideMax = 256;
/** A small piece of the table: its end is not known before. */
const entriesAtOnce = 64;

type Column = (typeof columns)[number];

export interface HotspotField {
  /** As C++ writes it; null where the virtual machine keeps it to itself. */
  type: string | null;
  isStatic: boolean;
  /** In the structure; of a static field, where it is. */
  place: bigint;
}

/**
 * The fields of these structures by `Structure::field`, as the running virtual machine describes them. null: whatever
 * stands there is no such table.
 */
export function readStructs(
  memory: Memory,
  addressOf: (symbol: string) => bigint | null,
  structures: ReadonlySet<string>,
): Map<string, HotspotField> | null {
  const value = (symbol: string): bigint | null => {
    const address = addressOf(symbol);
    return address === null ? null : wordAt(memory, address);
  };
  const start = value(table);
  const size = Number(value(stride) ?? 0n);
  if (start === null || size < 8 || size > strideMax) return null;
  const at = {} as Record<Column, number>;
  for (const column of columns) {
    at[column] = Number(value(columnSymbol(column)) ?? -1n);
    if (at[column] < 0 || at[column] + 8 > size) return null;
  }
  const texts = new Texts(memory);
  const fields = new Map<string, HotspotField>();
  for (const entry of rows(memory, start, size)) {
    const typeName = entry.readBigUInt64LE(at.TypeName);
    // The last row is empty; a table without one is none.
    if (typeName === 0n) return fields;
    const structure = texts.at(typeName);
    const field = texts.at(entry.readBigUInt64LE(at.FieldName));
    if (structure === null || field === null) return null;
    if (!structures.has(structure)) continue;
    const type = entry.readBigUInt64LE(at.TypeString);
    const isStatic = entry.readInt32LE(at.IsStatic) !== 0;
    fields.set(`${structure}::${field}`, {
      type: type === 0n ? null : texts.at(type),
      isStatic,
      place: entry.readBigUInt64LE(isStatic ? at.Address : at.Offset),
    });
  }
  return null;
}

function* rows(memory: Memory, start: bigint, size: number): Generator<Buffer> {
  for (let index = 0; index < entriesMax; index += entriesAtOnce) {
    const bytes = memory.read(start + BigInt(index * size), entriesAtOnce * size);
    if (isAbsent(bytes)) return;
    for (let at = 0; at + size <= bytes.length; at += size) yield bytes.subarray(at, at + size);
    if (bytes.length < entriesAtOnce * size) return;
  }
}
