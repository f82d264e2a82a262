import type { AgentEvent } from '../../model/agent.js';
import { closeCut } from './close-cut.js';
import { isObject } from './json-fields.js';
import type { AgentProfile } from './profile.js';

/** Of a longer line only the beginning is read. */
const lineBytesMax = 64 * 1024;
/** Where ids are all that is wanted. */
const headBytesMax = 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;
const openBrace = 0x7b;
const quote = 0x22;

/** What each of these agents begins every line with. */
const typeKey = Buffer.from('{"type":"');
const typeBytesMax = 40;

const alive: AgentEvent = { kind: 'activity' };

/** What went by. */
export interface AgentStreamCounts {
  /** With anything in them. */
  lines: number;
  /** Not events: what else is printed to the same place. */
  other: number;
  /** They began like an event, but were none. */
  invalid: number;
  /** Too long: only their beginning was read. */
  cut: number;
}

/**
 * Events out of the output of an agent, in constant memory. What comes out does not depend on how the bytes were cut
 * into chunks. A line is parsed only if its type says that there is something in it.
 */
export class AgentStream {
  readonly #profile: AgentProfile;
  readonly #emit: (event: AgentEvent) => void;
  /** The line that has not ended: its beginning, and how long it is. */
  #line = Buffer.alloc(0);
  #kept = 0;
  #bytes = 0;
  /** Inside a line whose beginning nobody has seen. */
  #isLost = false;
  readonly counts: AgentStreamCounts = { lines: 0, other: 0, invalid: 0, cut: 0 };

  constructor(profile: AgentProfile, emit: (event: AgentEvent) => void) {
    this.#profile = profile;
    this.#emit = emit;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      if (this.#isLost) this.#isLost = false;
      else if (this.#bytes === 0) this.#read(bytes, start, end);
      else {
        this.#keep(bytes, start, end);
        this.#endLine();
      }
      start = end + 1;
    }
    if (start < bytes.length && !this.#isLost) this.#keep(bytes, start, bytes.length);
  }

  /** Bytes were left out: what follows begins inside a line. */
  skip(): void {
    this.#drop();
    this.#isLost = true;
  }

  /** There is no more: what was not ended by a newline is a line, too. */
  end(): void {
    if (this.#bytes > 0) this.#endLine();
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    this.#bytes += end - start;
    const size = Math.min(end - start, lineBytesMax - this.#kept);
    if (size <= 0) return;
    if (this.#kept + size > this.#line.length) {
      const larger = Buffer.allocUnsafe(Math.min(lineBytesMax, 2 * (this.#kept + size)));
      this.#line.copy(larger, 0, 0, this.#kept);
      this.#line = larger;
    }
    bytes.copy(this.#line, this.#kept, start, start + size);
    this.#kept += size;
  }

  #endLine(): void {
    this.#read(this.#line, 0, this.#bytes);
    this.#drop();
  }

  #drop(): void {
    this.#kept = 0;
    this.#bytes = 0;
  }

  /** Of a long line only the beginning has to be there. */
  #read(bytes: Buffer, from: number, to: number): void {
    const limit = Math.min(to, from + lineBytesMax);
    const start = firstOf(bytes, from, limit);
    // The spaces at the end of a line are not part of it; those where we stopped reading are.
    const end = limit < to ? limit : lastOf(bytes, start, limit);
    if (start === end) return;
    this.counts.lines++;
    if (bytes[start] !== openBrace) {
      this.counts.other++;
      return;
    }
    if (limit < to) this.counts.cut++;
    const type = typeAt(bytes, start, end);
    const use = type === null ? 'whole' : this.#profile.lines[type];
    if (use === undefined) this.#emit(alive);
    else if (typeof use === 'object') this.#tell(holds(bytes, start, end, use.mark) ? use.events : []);
    else this.#parse(bytes, start, end, limit < to, use);
  }

  #parse(bytes: Buffer, start: number, end: number, isLong: boolean, use: 'whole' | 'head'): void {
    const isHead = use === 'head' && end - start > headBytesMax;
    const isCut = isLong || isHead;
    // Ids are plain ASCII, and this is the faster way to text; the whole of a line may be shown.
    const text = bytes.toString(
      use === 'head' ? 'latin1' : 'utf8',
      start,
      isHead ? start + headBytesMax : end,
    );
    const line = parsed(isCut ? closeCut(text) : text);
    if (line === null || !isObject(line)) {
      if (isCut) this.#emit(alive);
      else this.counts.invalid++;
    } else if (typeof line.type !== 'string') this.counts.other++;
    else this.#tell(this.#profile.events(line));
  }

  #tell(events: readonly AgentEvent[]): void {
    if (events.length === 0) this.#emit(alive);
    for (const event of events) this.#emit(event);
  }
}

function firstOf(bytes: Buffer, from: number, to: number): number {
  let start = from;
  while (start < to && isSpace(bytes[start])) start++;
  return start;
}

function lastOf(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(bytes[end - 1])) end--;
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === carriageReturn;
}

/** The type, where it comes first and no bracket was opened before it; null: it does not, and has to be looked for. */
function typeAt(bytes: Buffer, start: number, end: number): string | null {
  for (let at = 0; at < typeKey.length; at++) if (bytes[start + at] !== typeKey[at]) return null;
  const from = start + typeKey.length;
  const limit = Math.min(end, from + typeBytesMax);
  for (let at = from; at < limit; at++) if (bytes[at] === quote) return bytes.toString('latin1', from, at);
  return null;
}

function holds(bytes: Buffer, start: number, end: number, mark: string): boolean {
  return bytes.subarray(start, end).includes(mark, 0, 'latin1');
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
