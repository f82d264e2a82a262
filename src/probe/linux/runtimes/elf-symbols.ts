import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import { attempt } from '../proc/proc-file.js';

const headerBytes = 64;
const sectionBytes = 64;
const symbolBytes = 24;
const sectionsMax = 4096;
/** The largest programs have tables of some ten megabytes. */
const tableBytesMax = 48 * 1024 * 1024;
/** A name occurs once or a few times; a file made to waste time has it everywhere. */
const placesMax = 4096;
/** Bytes per read: a multiple of the size of a symbol. */
const pieceBytes = symbolBytes * 16 * 1024;

const sectionTypes = { full: 2, dynamic: 11 };
/** No type, object, function: other types (thread-local symbols) have no address. */
const symbolTypeMax = 2;

interface Table {
  offset: number;
  size: number;
}

/**
 * Link-time addresses (st_value) of some symbols of an ELF file with 64 bits, little endian; missing symbols are left
 * out. null: no such file, or without that table (`full`: the table that strip removes).
 */
export function readSymbols(
  path: string,
  names: readonly string[],
  table: 'dynamic' | 'full',
): Map<string, number> | null {
  return withFile(path, (fd) => readFrom(fd, names, sectionTypes[table]));
}

function withFile<T>(path: string, read: (fd: number) => T | null): T | null {
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const found = attempt(() => {
    // Without O_NONBLOCK a FIFO of that name would block the open.
    const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
    try {
      return fs.fstatSync(fd).isFile() ? read(fd) : null;
    } finally {
      fs.closeSync(fd);
    }
  });
  return isAbsent(found) ? null : found;
}

const segmentBytes = 56;
const segmentsMax = 64;
const loadedSegment = 1;

/** The address that the first page of a program was linked to; null: no such file. */
export function readLinkedStart(path: string): number | null {
  return withFile(path, (fd) => {
    const header = readAt(fd, 0, headerBytes);
    if (header.length < headerBytes || header.readUInt16LE(54) !== segmentBytes) return null;
    const count = Math.min(header.readUInt16LE(56), segmentsMax);
    const segments = readAt(fd, Number(header.readBigUInt64LE(32)), count * segmentBytes);
    let start: number | null = null;
    for (let at = 0; at + segmentBytes <= segments.length; at += segmentBytes) {
      const address = Number(segments.readBigUInt64LE(at + 16));
      if (segments.readUInt32LE(at) === loadedSegment) start = Math.min(start ?? address, address);
    }
    return start;
  });
}

/** A variable or constant of a program. */
export interface ElfObject {
  name: string;
  from: number;
  to: number;
}

const objectType = 1;

const functionType = 2;
/** Go functions that C may call at any time (cgo): of all functions, only these are listed. */
export const exportedPrefix = '_cgoexp_';

/** All variables and constants with their sizes, and functions for C, by address; null: no such file, or without its table of symbols. */
export function readObjects(path: string): ElfObject[] | null {
  return withFile(path, (fd) => {
    const tables = findTables(fd, sectionTypes.full);
    return tables === null ? null : objectsIn(fd, tables);
  });
}

function objectsIn(fd: number, { symbols, strings }: { symbols: Table; strings: Table }): ElfObject[] {
  const names = readAt(fd, strings.offset, strings.size);
  const found: ElfObject[] = [];
  for (const { bytes } of pieces(fd, symbols, 0)) {
    for (let at = 0; at + symbolBytes <= bytes.length; at += symbolBytes) {
      const type = bytes.readUInt8(at + 4) & 0xf;
      if (type > functionType || bytes.readUInt16LE(at + 6) === 0) continue;
      const [from, size] = [Number(bytes.readBigUInt64LE(at + 8)), Number(bytes.readBigUInt64LE(at + 16))];
      const start = bytes.readUInt32LE(at);
      const prefixEnd = start + exportedPrefix.length;
      if (type > objectType && names.toString('latin1', start, prefixEnd) !== exportedPrefix) continue;
      const end = names.indexOf(0, start);
      if (Number.isSafeInteger(from + size) && size > 0 && end >= start)
        found.push({ name: names.toString('latin1', start, end), from, to: from + size });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

function readFrom(fd: number, names: readonly string[], type: number): Map<string, number> | null {
  const tables = findTables(fd, type);
  if (tables === null) return null;
  const nameAt = findNames(fd, tables.strings, names);
  const found = new Map<string, number>();
  const isGlobal = new Set<string>();
  for (const { bytes } of pieces(fd, tables.symbols, 0)) {
    for (let at = 0; at + symbolBytes <= bytes.length; at += symbolBytes) {
      const name = nameAt.get(bytes.readUInt32LE(at));
      if (name === undefined) continue;
      const info = bytes.readUInt8(at + 4);
      const value = Number(bytes.readBigUInt64LE(at + 8));
      const isDefined = bytes.readUInt16LE(at + 6) !== 0 && Number.isSafeInteger(value);
      if (!isDefined || (info & 0xf) > symbolTypeMax) continue;
      // Several files of one program may each have a local symbol of that name: the global symbol is meant.
      const global = info >> 4 !== 0;
      if (found.has(name) && (isGlobal.has(name) || !global)) continue;
      found.set(name, value);
      if (global) isGlobal.add(name);
    }
  }
  return found;
}

function readSections(fd: number): Buffer | null {
  const header = readAt(fd, 0, headerBytes);
  // \x7fELF, 64 bits, little endian.
  if (header.length < headerBytes || header.readUInt32BE(0) !== 0x7f454c46) return null;
  if (header[4] !== 2 || header[5] !== 1) return null;
  const count = header.readUInt16LE(60);
  const offset = Number(header.readBigUInt64LE(40));
  if (header.readUInt16LE(58) !== sectionBytes || count > sectionsMax || !Number.isSafeInteger(offset)) {
    return null;
  }
  return readAt(fd, offset, count * sectionBytes);
}

function findTables(fd: number, type: number): { symbols: Table; strings: Table } | null {
  const sections = readSections(fd) ?? Buffer.alloc(0);
  for (let at = 0; at + sectionBytes <= sections.length; at += sectionBytes) {
    if (sections.readUInt32LE(at + 4) !== type) continue;
    const link = sections.readUInt32LE(at + 40) * sectionBytes;
    if (link + sectionBytes > sections.length) return null;
    const symbols = tableAt(sections, at);
    const strings = tableAt(sections, link);
    return symbols === null || strings === null ? null : { symbols, strings };
  }
  return null;
}

function tableAt(sections: Buffer, at: number): Table | null {
  const offset = Number(sections.readBigUInt64LE(at + 24));
  const size = Number(sections.readBigUInt64LE(at + 32));
  return Number.isSafeInteger(offset) && size <= tableBytesMax ? { offset, size } : null;
}

/** Where the names stand in the table of strings: also at the end of longer names, which linkers share. */
function findNames(fd: number, strings: Table, names: readonly string[]): Map<number, string> {
  const wanted = names.map((name) => ({ name, bytes: Buffer.from(`${name}\0`) }));
  const overlap = Math.max(0, ...wanted.map(({ bytes }) => bytes.length - 1));
  const nameAt = new Map<number, string>();
  for (const { bytes: piece, from } of pieces(fd, strings, overlap)) {
    for (const { name, bytes } of wanted) {
      for (let at = piece.indexOf(bytes); at >= 0; at = piece.indexOf(bytes, at + 1)) {
        if (nameAt.size >= placesMax) return nameAt;
        nameAt.set(from + at, name);
      }
    }
  }
  return nameAt;
}

/** A table in pieces; each repeats the last bytes of the previous piece. A file that is too short ends it. */
function* pieces(
  fd: number,
  { offset, size }: Table,
  overlap: number,
): Generator<{ bytes: Buffer; from: number }> {
  for (let from = 0; from < size; from += pieceBytes) {
    const length = Math.min(pieceBytes + overlap, size - from);
    const bytes = readAt(fd, offset + from, length);
    yield { bytes, from };
    if (bytes.length < length) return;
  }
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, position));
}
