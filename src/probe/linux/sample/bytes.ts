import type { ProcessIo } from '../../../model/facts/sample.js';
import type { ProcessState } from '../../../model/facts/snapshot.js';

const space = 32;
const closeParenthesis = 41;
const colon = 58;
const zero = 48;
/** The name ends before this: 10 digits, two signs, 64 characters of which each may be escaped (proc(5)). */
const nameEndsBefore = 160;

/** Reads numbers from bytes, one after the other, without making a string of any of them. */
export class ByteReader {
  readonly bytes: Buffer;
  length = 0;
  #at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Starts over with new content of the buffer. */
  begin(length: number): void {
    this.length = length;
    this.#at = 0;
  }

  /** The next run of digits; 0 when there is none. A negative number gives its absolute value. */
  number(): number {
    const { bytes, length } = this;
    let at = this.#at;
    let digit = -1;
    for (; at < length; at += 1) {
      digit = (bytes[at] as number) - zero;
      if (digit >= 0 && digit <= 9) break;
    }
    let value = 0;
    for (; at < length; at += 1) {
      digit = (bytes[at] as number) - zero;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    this.#at = at;
    return value;
  }

  /** Skips this many fields that are separated by single spaces. */
  skip(fields: number): void {
    const { bytes, length } = this;
    let at = this.#at;
    for (let left = fields; left > 0 && at < length; left -= 1) {
      at += 1;
      while (at < length && bytes[at] !== space) at += 1;
    }
    this.#at = at;
  }

  /** The number behind the next colon. */
  value(): number {
    const { bytes, length } = this;
    let at = this.#at;
    while (at < length && bytes[at] !== colon) at += 1;
    this.#at = at;
    return this.number();
  }

  /** Moves to the byte behind the name in parentheses, which may contain anything; false: no such line. */
  afterName(): boolean {
    let at = Math.min(this.length, nameEndsBefore) - 1;
    while (at >= 0 && this.bytes[at] !== closeParenthesis) at -= 1;
    this.#at = at + 1;
    return at > 0 && at + 2 < this.length;
  }

  get following(): number {
    return this.bytes[this.#at + 1] ?? 0;
  }
}

export interface StatNumbers {
  state: ProcessState;
  parent: number;
  cpuTicks: number;
  reapedCpuTicks: number;
  threads: number;
  startTicks: number;
  residentPages: number;
}

const states = new Map<number, ProcessState>(
  (['R', 'S', 'D', 'T', 't', 'Z', 'X', 'I', 'P'] as const).map((letter) => [letter.charCodeAt(0), letter]),
);

/** The fields of /proc/PID/stat that a tick needs (numbers as in proc(5)); null: not such a line. */
export function takeStat(reader: ByteReader): StatNumbers | null {
  if (!reader.afterName()) return null;
  const state = states.get(reader.following) ?? '?';
  reader.skip(1); // 3
  const parent = reader.number(); // 4
  reader.skip(9); // 5 to 13
  const cpuTicks = reader.number() + reader.number(); // 14, 15
  const reapedCpuTicks = reader.number() + reader.number(); // 16, 17
  reader.skip(2); // 18, 19
  const threads = reader.number(); // 20
  reader.skip(1); // 21
  const startTicks = reader.number(); // 22
  reader.skip(1); // 23
  const residentPages = reader.number(); // 24
  return { state, parent, cpuTicks, reapedCpuTicks, threads, startTicks, residentPages };
}

/** /proc/PID/io, whose lines have always had this order. */
export function takeIo(reader: ByteReader): ProcessIo {
  const readChars = reader.value();
  const writeChars = reader.value();
  reader.value(); // syscr
  reader.value(); // syscw
  const readBytes = reader.value();
  return { readChars, writeChars, readBytes, writeBytes: reader.value() };
}
