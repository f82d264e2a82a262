import type { Memory } from '../../proc/mem.js';
import { bytesAt, uint32At, wordAt } from './memory.js';
import type { HotspotObjectLayout } from './object-layout.js';

/** A field of a Java class, as the virtual machine describes it: its names are indexes of constants. */
interface FieldInfo {
  name: number;
  signature: number;
  isStatic: boolean;
  /** The offset in an object. */
  offset: number;
}

const accStatic = 0x0008;
const fieldsMax = 1024;

const numberBytes = 2;
const numbersEach = 6;
/** The two lowest bits of an offset are a tag: bit 0 marks it as an offset. */
const offsetTagBits = 2;

/** To JDK 20: access flags, name, signature, initial value, offset in two halves. null: another format. */
export function parseFieldNumbers(bytes: Buffer, count: number): FieldInfo[] | null {
  if (count > fieldsMax || bytes.length < count * numbersEach * numberBytes) return null;
  return Array.from({ length: count }, (_, index) => {
    const at = (place: number): number => bytes.readUInt16LE((index * numbersEach + place) * numberBytes);
    const packed = at(5) * 0x10000 + at(4);
    const offset = (packed & 1) === 1 ? packed >>> offsetTagBits : -1;
    return { name: at(1), signature: at(2), isStatic: (at(0) & accStatic) !== 0, offset };
  });
}

const optionalParts = [1 << 0, 1 << 2, 1 << 4];

/**
 * Since JDK 21: the number of Java fields and the number of fields of the virtual machine, then for each field name,
 * signature, offset, access flags, and flags that show which of initial value, generic signature and group follow.
 */
export function parseFieldStream(bytes: Buffer): FieldInfo[] | null {
  const numbers = unsigned5(bytes);
  const next = (): number => numbers.next().value ?? Number.NaN;
  const count = next();
  next();
  if (!(count <= fieldsMax)) return null;
  const fields: FieldInfo[] = [];
  for (let index = 0; index < count; index += 1) {
    const [name, signature, offset, access, flags] = [next(), next(), next(), next(), next()];
    for (const part of optionalParts) if ((flags & part) !== 0) next();
    if (Number.isNaN(flags)) return null;
    fields.push({ name, signature, isStatic: (access & accStatic) !== 0, offset });
  }
  return fields;
}

const excluded = 1;
const lowCodes = 191;
const bitsEach = 6;
const bytesEachMax = 5;

/**
 * HotSpot's UNSIGNED5: one to five bytes for a number, none of them zero; a byte from 192 on means that more follow.
 */
function* unsigned5(bytes: Buffer): Generator<number, undefined> {
  for (let at = 0; at < bytes.length; ) {
    let sum = 0;
    for (let place = 0; ; place += 1) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined || byte < excluded) return undefined;
      sum += (byte - excluded) * 2 ** (bitsEach * place);
      if (byte < excluded + lowCodes || place === bytesEachMax - 1) break;
    }
    yield sum;
  }
  return undefined;
}

const pointerBytes = 8;
const nameBytesMax = 512;
const depthMax = 64;
const fieldBytesMax = 65_536;
const constantsMax = 65_536;

/** The classes of a Java virtual machine by their addresses, which never change: names, parents, fields. Read once. */
export class HotspotClasses {
  readonly #memory: Memory;
  readonly #layout: HotspotObjectLayout;
  readonly #names = new Map<bigint, string | null>();
  readonly #methods = new Map<bigint, string | null>();
  readonly #fields = new Map<bigint, ReadonlyMap<string, number>>();
  readonly #offsets = new Map<string, number | null>();

  constructor(memory: Memory, layout: HotspotObjectLayout) {
    this.#memory = memory;
    this.#layout = layout;
  }

  /** As `java/lang/Thread`; null: no class. */
  nameOf(klass: bigint): string | null {
    const known = this.#names.get(klass);
    if (known !== undefined) return known;
    const symbol = this.#word(klass, this.#layout.klass.name);
    const name = symbol === null ? null : this.#text(symbol);
    this.#names.set(klass, name);
    return name;
  }

  /** As `java/lang/Thread.run`: the method whose structure lies at an address; null: there is no method. */
  methodAt(address: bigint): string | null {
    const known = this.#methods.get(address);
    if (known !== undefined) return known;
    const method = this.#readMethod(address);
    this.#methods.set(address, method);
    return method;
  }

  #readMethod(address: bigint): string | null {
    const { methods, constants } = this.#layout;
    if (methods === null || address % 8n !== 0n || address < 4096n) return null;
    const method = this.#word(address, methods.constMethod);
    const pool = method === null ? null : this.#word(method, methods.pool);
    const holder = pool === null ? null : this.#word(pool, methods.holder);
    const owner = holder === null ? null : this.nameOf(holder);
    if (method === null || pool === null || owner === null) return null;
    const index = bytesAt(this.#memory, method + BigInt(methods.nameIndex), 2)?.readUInt16LE(0) ?? 0;
    const symbol = this.#word(pool, constants.first + index * pointerBytes);
    const name = symbol === null ? null : this.#text(symbol);
    return name === null ? null : `${owner}.${name}`;
  }

  /** Where objects of a class have a field that the class of this name, itself or one of its parents, declares. */
  offsetOf(klass: bigint, declaredBy: string, field: string, signature: string): number | null {
    const key = `${klass} ${declaredBy} ${field} ${signature}`;
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const offset = this.#findOffset(klass, declaredBy, `${field} ${signature}`);
    this.#offsets.set(key, offset);
    return offset;
  }

  #findOffset(klass: bigint, declaredBy: string, field: string): number | null {
    let at: bigint | null = klass;
    for (let depth = 0; at !== null && at !== 0n && depth < depthMax; depth += 1) {
      if (this.nameOf(at) === declaredBy) return this.#fieldsOf(at).get(field) ?? null;
      at = this.#word(at, this.#layout.klass.parent);
    }
    return null;
  }

  /** Offsets by name and signature. */
  #fieldsOf(klass: bigint): ReadonlyMap<string, number> {
    const known = this.#fields.get(klass);
    if (known !== undefined) return known;
    const constants = this.#constantsOf(klass);
    const textOf = (index: number): string | null =>
      constants !== null && (index + 1) * pointerBytes <= constants.length
        ? this.#text(constants.readBigUInt64LE(index * pointerBytes))
        : null;
    const found = new Map<string, number>();
    for (const { name, signature, isStatic, offset } of this.#infosOf(klass) ?? []) {
      if (!isStatic && offset > 0) found.set(`${textOf(name)} ${textOf(signature)}`, offset);
    }
    this.#fields.set(klass, found);
    return found;
  }

  #infosOf(klass: bigint): FieldInfo[] | null {
    const { fields, array } = this.#layout;
    const address = this.#word(klass, fields.at);
    const length = address === null ? null : uint32At(this.#memory, address + BigInt(array.length));
    if (address === null || length === null) return null;
    const size = fields.as === 'stream' ? length : length * 2;
    if (size > fieldBytesMax) return null;
    const bytes = bytesAt(this.#memory, address + BigInt(array.first), size);
    if (bytes === null) return null;
    if (fields.as === 'stream') return parseFieldStream(bytes);
    const count = bytesAt(this.#memory, klass + BigInt(fields.count), 2)?.readUInt16LE(0) ?? null;
    return count === null ? null : parseFieldNumbers(bytes, count);
  }

  /** Read at once: a class has hundreds of constants. */
  #constantsOf(klass: bigint): Buffer | null {
    const { constants } = this.#layout;
    const pool = this.#word(klass, this.#layout.klass.constants);
    const length = pool === null ? null : uint32At(this.#memory, pool + BigInt(constants.length));
    if (pool === null || length === null || length > constantsMax) return null;
    return bytesAt(this.#memory, pool + BigInt(constants.first), length * pointerBytes);
  }

  #text(symbol: bigint): string | null {
    const { length, text } = this.#layout.symbol;
    const size = bytesAt(this.#memory, symbol + BigInt(length), 2)?.readUInt16LE(0) ?? 0;
    if (size === 0 || size > nameBytesMax) return null;
    return bytesAt(this.#memory, symbol + BigInt(text), size)?.toString('latin1') ?? null;
  }

  #word(structure: bigint, offset: number): bigint | null {
    return wordAt(this.#memory, structure + BigInt(offset));
  }
}
