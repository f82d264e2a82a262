import type { Memory } from '../../proc/mem.js';
import { bytesAt, Texts, wordAt } from './memory.js';
import { type HotspotFields, offsetOf, staticOf } from './structs.js';

/** Flags of the virtual machine that decide the layout of its objects and which collector moves them. */
const needed = [
  'UseCompressedOops',
  'UseCompressedClassPointers',
  'UseSerialGC',
  'UseParallelGC',
  'UseG1GC',
] as const;
/** Since JDK 24. */
const compactHeaders = 'UseCompactObjectHeaders';

/** Addresses of the flags, relative to the load address of the library. */
export interface HotspotFlags {
  compressedReferences: bigint;
  compressedClasses: bigint;
  /** Collectors that move objects only while no thread runs. */
  stoppingCollectors: bigint[];
  compactHeaders: bigint | null;
}

const flagsMax = 8192;

/** null: the virtual machine does not list its flags in a known way. */
export function readFlags(
  memory: Memory,
  fields: HotspotFields,
  size: number | undefined,
  base: bigint,
): HotspotFlags | null {
  const table = staticOf(fields, 'JVMFlag::flags', /^JVMFlag ?\*$/, base);
  const length = staticOf(fields, 'JVMFlag::numFlags', /^size_t$/, base);
  const name = offsetOf(fields, 'JVMFlag::_name', /^const char ?\*$/);
  const address = offsetOf(fields, 'JVMFlag::_addr');
  if (table === null || length === null || name === null || address === null) return null;
  if (size === undefined || name + 8 > size || address + 8 > size) return null;
  const start = wordAt(memory, base + table);
  const count = wordAt(memory, base + length);
  if (start === null || count === null || count > BigInt(flagsMax)) return null;
  const bytes = bytesAt(memory, start, Number(count) * size);
  if (bytes === null) return null;
  const texts = new Texts(memory);
  const places = new Map<string, bigint>();
  for (let at = 0; at + size <= bytes.length; at += size) {
    const text = bytes.readBigUInt64LE(at + name);
    const place = bytes.readBigUInt64LE(at + address);
    // The last flag has no name.
    const known = text === 0n ? null : texts.at(text);
    if (known !== null && place > base) places.set(known, place - base);
  }
  const [references, classes, ...collectors] = needed.map((flag) => places.get(flag) ?? null);
  const stoppingCollectors = collectors.filter((place) => place !== null);
  if (references == null || classes == null || stoppingCollectors.length < collectors.length) return null;
  return {
    compressedReferences: references,
    compressedClasses: classes,
    stoppingCollectors,
    compactHeaders: places.get(compactHeaders) ?? null,
  };
}
