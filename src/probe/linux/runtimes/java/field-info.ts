/** A field of a Java class, as the virtual machine describes it: its names are indexes of constants. */
export interface FieldInfo {
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
