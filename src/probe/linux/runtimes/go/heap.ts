import { type GoMemo, joined } from './module.js';
import type { GoPages } from './pages.js';
import type { Part } from './search.js';

const pageBytes = 8192;
const span = { start: 24, pages: 32 } as const;
/** Bytes of a span's record in which its fields lie, in every version so far. */
const recordBytes = 192;
const spansMax = 200_000;
/** A pointer, a length, and room. */
const listBytes = 24;
/** The initial capacity of the list. */
const firstRoom = 8192;
const inUse = 1;

/** The object sizes of Go's heap, by class; they have not changed for years. */
const classSizes = [
  0, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416,
  448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200,
  3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384,
  18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
];

/** A range of the heap with objects of the same size. */
interface Span {
  start: number;
  end: number;
  size: number;
  /** Its objects hold no pointers. */
  plain: boolean;
}

/** Which object an address belongs to, from the heap's own list of spans. */
export class GoHeap {
  readonly #spans: readonly Span[];
  readonly #from: number;
  readonly #to: number;

  private constructor(spans: Span[]) {
    this.#spans = spans.sort((a, b) => a.start - b.start);
    this.#from = this.#spans[0]?.start ?? 0;
    this.#to = this.#spans.at(-1)?.end ?? 0;
  }

  /** Searches the variables of the program for the list of spans, and verifies it; null: not found. */
  static find(pages: GoPages, parts: readonly Part[], memo: GoMemo): GoHeap | null {
    const ranges = memo.spans === null ? joined(parts) : [{ from: memo.spans, to: memo.spans + listBytes }];
    for (const { from, to } of ranges) {
      const words = pages.words(from, to);
      for (let at = 0; at + 2 < words.length; at += 1) {
        const [list = 0, length = 0, room = 0] = words.subarray(at, at + 3);
        const spans = isList(list, length, room) ? spansOf(pages, list, length) : null;
        if (spans === null) continue;
        memo.spans = from + at * 8;
        return new GoHeap(spans);
      }
    }
    return null;
  }

  /** The object that contains this address: where it begins and ends; null: no object that is in use. */
  object(address: number): { start: number; end: number; plain: boolean } | null {
    if (address < this.#from || address >= this.#to) return null;
    let low = 0;
    let high = this.#spans.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.start ?? 0) <= address) low = middle;
      else high = middle;
    }
    const found = this.#spans[low];
    if (found === undefined || address < found.start || address >= found.end) return null;
    const start = found.start + Math.floor((address - found.start) / found.size) * found.size;
    return { start, end: Math.min(start + found.size, found.end), plain: found.plain };
  }
}

interface Layout {
  size: number;
  /** The byte with class and "no pointers"; the state follows it. */
  kind: number;
}

function isList(list: number, length: number, room: number): boolean {
  if (length < 8 || length > spansMax || list % 8 !== 0) return false;
  return room >= length && room <= Math.max(firstRoom, length * 4);
}

function spansOf(pages: GoPages, list: number, length: number): Span[] | null {
  const records = firstRecords(pages, list, length);
  const layout = records === null ? null : layoutOf(records);
  return layout === null ? null : readSpans(pages, list, length, layout);
}

function firstRecords(pages: GoPages, list: number, length: number): Buffer[] | null {
  const pointers = pages.words(list, list + Math.min(length, 64) * 8);
  if (pointers.length < 8 || new Set(pointers).size !== pointers.length) return null;
  const records: Buffer[] = [];
  for (const pointer of pointers) {
    const record = pointer % 8 === 0 && pointer > pageBytes ? pages.bytes(pointer, recordBytes) : null;
    if (record === null || !isSpan(record)) return null;
    records.push(record);
  }
  return records;
}

const field = (record: Buffer, at: number): number =>
  record.readUInt32LE(at) + record.readUInt32LE(at + 4) * 2 ** 32;

function isSpan(record: Buffer): boolean {
  const start = field(record, span.start);
  const pages = field(record, span.pages);
  return start % pageBytes === 0 && pages < 2 ** 24 && (start === 0) === (pages === 0);
}

/** The only place where class and size of objects agree in all records. */
function layoutOf(records: readonly Buffer[]): Layout | null {
  let found: Layout | null = null;
  for (let kind = 80; kind < 140; kind += 1) {
    for (let size = 80; size <= 160; size += 8) {
      if (!records.every((record) => agrees(record, { size, kind }))) continue;
      const known = records.filter((record) => isSmall(record, kind));
      if (new Set(known.map((record) => field(record, size))).size < 3) continue;
      if (found !== null) return null;
      found = { size, kind };
    }
  }
  return found;
}

const isUsed = (record: Buffer, kind: number): boolean => record[kind + 1] === inUse;
const isSmall = (record: Buffer, kind: number): boolean =>
  isUsed(record, kind) && (record[kind] ?? 0) >> 1 !== 0;

function agrees(record: Buffer, { size, kind }: Layout): boolean {
  if ((record[kind + 1] ?? 255) > 2) return false;
  if (!isUsed(record, kind)) return true;
  const sizeClass = (record[kind] ?? 0) >> 1;
  const bytes = field(record, span.pages) * pageBytes;
  if (sizeClass === 0) return field(record, size) > 0 && field(record, size) <= bytes;
  return sizeClass < classSizes.length && field(record, size) === classSizes[sizeClass];
}

function readSpans(pages: GoPages, list: number, length: number, layout: Layout): Span[] | null {
  const spans: Span[] = [];
  for (const pointer of pages.words(list, list + length * 8)) {
    const record = pages.bytes(pointer, recordBytes);
    if (record === null || !isSpan(record) || !agrees(record, layout)) return null;
    if (!isUsed(record, layout.kind)) continue;
    const start = field(record, span.start);
    const end = start + field(record, span.pages) * pageBytes;
    const plain = ((record[layout.kind] ?? 0) & 1) === 1;
    spans.push({ start, end, size: field(record, layout.size), plain });
  }
  return spans;
}
