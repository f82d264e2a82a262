/** Longer tables are not read. */
export const linetableBytesMax = 64 * 1024;

const codes = { none: 15, long: 14, noColumns: 13, oneLine: 10 } as const;

/** The line of the instruction at this offset (in bytes), by the location table of PEP 657; null: it has none. */
export function lineAt(table: Uint8Array, firstLine: number, offset: number): number | null {
  let line = firstLine;
  let start = 0;
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < table.length && shift < 30; shift += 6) {
      const byte = table[at++] as number;
      value += (byte & 63) * 2 ** shift;
      if ((byte & 64) === 0) break;
    }
    return value;
  };
  const signed = (): number => {
    const value = varint();
    return value % 2 === 1 ? -Math.floor(value / 2) : value / 2;
  };
  while (at < table.length) {
    const first = table[at++] as number;
    if (first < 128) return null;
    const code = (first >> 3) & 15;
    const end = start + ((first & 7) + 1) * 2;
    if (code === codes.long) {
      line += signed();
      varint();
      varint();
      varint();
    } else if (code === codes.noColumns) line += signed();
    else if (code >= codes.oneLine && code !== codes.none) {
      line += code - codes.oneLine;
      at += 2;
    } else if (code !== codes.none) at += 1;
    if (offset < end) return code === codes.none || line < 1 ? null : line;
    start = end;
  }
  return null;
}
