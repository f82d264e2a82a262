/** Bytes of a `g` (the runtime's record of one goroutine) in which the fields lie, in every version so far. */
export const recordBytes = 512;

/** Each version moved these fields, but kept them together and in this order. */
const field = { status: 0, stackLock: 4, id: 8, waitSince: 24, waitReason: 32 } as const;
const groupBytes = 33;

const firstPlace = 64;
const placeStep = 8;

export const status = { idle: 0, runnable: 1, inCall: 3, waiting: 4, dead: 6, deadExtra: 11 } as const;
const statusMax = 15;
/** Set while the garbage collector scans the stack. */
const scanBit = 0x1000;

/** Limits of upper halves: ids are counted from 1, times are nanoseconds since the machine started. */
const idHighMax = 0xffff;
const waitSinceHighMax = 0x3fff_ffff;

/** Goroutines that the runtime starts for itself before main, by their idle waits. */
const startedFirst: ReadonlySet<string> = new Set(['force gc (idle)', 'GC sweep wait', 'GC scavenge wait']);
const startedFirstMin = 2;

/** The runtime's name for a reason to wait; null: it has no such number. */
export type ReasonName = (reason: number) => string | null;

export interface Goroutine {
  status: number;
  id: number;
  /** Left over from the last wait unless the status is `waiting`. */
  reason: number;
  /** When it was parked, in nanoseconds of the runtime's clock; 0: not known. */
  since: number;
}

/** The goroutine whose fields lie at this place in some memory; null: the bytes cannot be a goroutine. */
export function goroutineAt(bytes: Buffer, at: number): Goroutine | null {
  if (bytes.length < at + groupBytes) return null;
  const state = bytes.readUInt32LE(at + field.status) & ~scanBit;
  const idHigh = bytes.readUInt32LE(at + field.id + 4);
  const id = bytes.readUInt32LE(at + field.id) + idHigh * 2 ** 32;
  const used = state !== status.idle && state !== status.dead && state !== status.deadExtra;
  const plausible =
    state >= 0 &&
    state <= statusMax &&
    bytes.readUInt32LE(at + field.stackLock) <= 1 &&
    idHigh <= idHighMax &&
    (id > 0 || !used) &&
    bytes.readUInt32LE(at + field.waitSince + 4) <= waitSinceHighMax;
  if (!plausible) return null;
  const since =
    bytes.readUInt32LE(at + field.waitSince) + bytes.readUInt32LE(at + field.waitSince + 4) * 2 ** 32;
  return { status: state, id, reason: bytes.readUInt8(at + field.waitReason), since };
}

/** Whether this might be the record of main, wherever its fields lie: a quick check. */
export function couldBeMain(record: Buffer): boolean {
  for (let place = firstPlace; place <= recordBytes - groupBytes; place += placeStep) {
    const isFirst = record.readUInt32LE(place + field.id) === 1;
    if (isFirst && goroutineAt(record, place)?.id === 1) return true;
  }
  return false;
}

/** The first goroutine is main with number 1, and its neighbours are the runtime's own: all must match. */
function fits(records: readonly Buffer[], place: number, nameOf: ReasonName): boolean {
  const ids = new Set<number>();
  const known = new Set<string>();
  for (const [index, record] of records.entries()) {
    const goroutine = goroutineAt(record, place);
    if (goroutine === null || (index === 0 && goroutine.id !== 1)) return false;
    if (goroutine.id > 0 && ids.has(goroutine.id)) return false;
    ids.add(goroutine.id);
    if (goroutine.status !== status.waiting) continue;
    const name = nameOf(goroutine.reason);
    if (name === null || name === '') return false;
    if (startedFirst.has(name)) known.add(name);
  }
  return known.size >= startedFirstMin;
}

/** Where the fields lie, proven by the first goroutines; null: nowhere, or in more than one place. */
export function findPlace(records: readonly Buffer[], nameOf: ReasonName): number | null {
  let found: number | null = null;
  for (let place = firstPlace; place <= recordBytes - groupBytes; place += placeStep) {
    if (!fits(records, place, nameOf)) continue;
    if (found !== null) return null;
    found = place;
  }
  return found;
}
