import { type Absent, isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import { type ReasonName, recordBytes } from './layout.js';

const reasonsMax = 128;
const reasonCharsMax = 64;
const addressMax = 2 ** 47;
/** Records nearer to each other than this are read together. */
const gapBytesMax = 4096;
const pieceBytesMax = 256 * 1024;

export const failed: Absent = { absent: 'failed' };

export function readAll(memory: Memory, address: number, length: number): Buffer | Absent {
  return address > 0 && address < addressMax ? memory.readWhole(BigInt(address), length) : failed;
}

/** A number too large to be exact is neither an address nor a length. */
export const pointerAt = (bytes: Buffer, offset: number): number =>
  bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;

/** The names in the runtime's table, each read on first use. */
export function reasonNames(memory: Memory, table: number): ReasonName {
  const known = new Map<number, string | null>();
  const read = (reason: number): string | null => {
    const entry = readAll(memory, table + reason * 16, 16);
    if (reason >= reasonsMax || isAbsent(entry)) return null;
    const length = pointerAt(entry, 8);
    if (length > reasonCharsMax) return null;
    const text = length === 0 ? Buffer.alloc(0) : readAll(memory, pointerAt(entry, 0), length);
    const name = isAbsent(text) ? null : text.toString('latin1');
    return name !== null && /^[ -~]*$/.test(name) ? name : null;
  };
  return (reason) => {
    const name = known.get(reason);
    if (name !== undefined) return name;
    const found = read(reason);
    known.set(reason, found);
    return found;
  };
}

/** Passes on each of the records at these addresses; neighbours are read together. false: a record is out of reach. */
export function eachRecord(
  memory: Memory,
  addresses: Float64Array,
  show: (bytes: Buffer, at: number, address: number) => boolean,
): boolean {
  const sorted = addresses.slice().sort();
  let start = 0;
  let end = 0;
  let piece: Buffer | Absent = failed;
  for (let index = 0; index < sorted.length; index += 1) {
    const address = sorted[index] ?? 0;
    if (address + recordBytes > end) {
      start = address;
      end = pieceEnd(sorted, index);
      piece = readAll(memory, start, end - start);
    }
    if (isAbsent(piece) || !show(piece, address - start, address)) return false;
  }
  return true;
}

/** The end of the last record that is read together with this record. */
function pieceEnd(sorted: Float64Array, index: number): number {
  const start = sorted[index] ?? 0;
  let last = start;
  for (let next = index + 1; next < sorted.length; next += 1) {
    const address = sorted[next] ?? 0;
    if (address - last >= gapBytesMax || address - start >= pieceBytesMax) break;
    last = address;
  }
  return last + recordBytes;
}
