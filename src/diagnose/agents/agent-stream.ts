import type { AgentEvent } from '../../model/run/agent.js';
import { jsonOr } from '../../text/parse-json.js';
import { isSpace, objectStart, quote } from './json-bytes.js';
import { isObject } from './json-fields.js';
import type { AgentProfile } from './profile.js';
import { JsonShortener } from './shorten-json.js';

/** A longer line is made short before it is parsed. */
const wholeBytesMax = 4096;
/** This much of a line is kept until the line ends. Of a longer line, only the output of the shortener is kept. */
const lineBytesMax = 64 * 1024;

const newline = 0x0a;

/** Nearly every line begins with it. */
const typeKey = Buffer.from('{"type":"');
const typeBytesMax = 40;

const alive: AgentEvent = { kind: 'activity' };

/** Counts of lines by kind. */
export interface AgentStreamCounts {
  /** Lines that are not empty. */
  lines: number;
  /** Lines that are not events: other output to the same place. */
  other: number;
  /** Lines that began like an event but were not valid. */
  invalid: number;
  /** Lines too long to be kept: long texts in them were cut on the way. */
  cut: number;
}

/** A line, or the beginning of a line that is too long to be kept. */
interface LineHead {
  bytes: Buffer;
  from: number;
  to: number;
  isLong: boolean;
}

/**
 * Reads events from the output of an agent, in constant memory. The result does not depend on how the bytes were cut
 * into chunks. A line is parsed only if its type can carry facts, and at any length: the fields that matter may come
 * after all the output of a tool.
 */
export class AgentStream {
  readonly #profile: AgentProfile;
  readonly #emit: (event: AgentEvent) => void;
  /** The line that has not ended: its beginning, and how long it is. */
  #line = Buffer.alloc(0);
  #kept = 0;
  #bytes = 0;
  /** Takes a line that is too long to be kept, chunk by chunk. */
  readonly #shortener = new JsonShortener();
  /** Inside a line whose beginning was left out. */
  #isLost = false;
  /** Lines that were only heartbeats. */
  #heartbeats = 0;
  readonly counts: AgentStreamCounts = { lines: 0, other: 0, invalid: 0, cut: 0 };

  constructor(profile: AgentProfile, emit: (event: AgentEvent) => void) {
    this.#profile = profile;
    this.#emit = emit;
  }

  /** false: the chunk held only heartbeats, or the beginning of a line that may still become a heartbeat. */
  push(chunk: Uint8Array): boolean {
    const wasLost = this.#isLost;
    const [lines, heartbeats] = [this.counts.lines, this.#heartbeats];
    this.#push(chunk);
    const newHeartbeats = this.#heartbeats - heartbeats;
    const isOpen = this.#bytes > 0 && this.#bytes <= wholeBytesMax && this.#line[0] === objectStart;
    const isElse = this.counts.lines - lines > newHeartbeats || (this.#bytes > 0 && !isOpen);
    return wasLost || isElse || (newHeartbeats === 0 && !isOpen);
  }

  #push(chunk: Uint8Array): void {
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

  /** Bytes were left out: the following bytes begin inside a line. */
  skip(): void {
    this.#drop();
    this.#isLost = true;
  }

  /** The output has ended: a last line without a newline counts as a line. */
  end(): void {
    if (this.#bytes > 0) this.#endLine();
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    const wasLong = this.#bytes > lineBytesMax;
    this.#bytes += end - start;
    const size = Math.min(end - start, lineBytesMax - this.#kept);
    if (this.#kept + size > this.#line.length) {
      const larger = Buffer.allocUnsafe(Math.min(lineBytesMax, 2 * (this.#kept + size)));
      this.#line.copy(larger, 0, 0, this.#kept);
      this.#line = larger;
    }
    bytes.copy(this.#line, this.#kept, start, start + size);
    this.#kept += size;
    if (this.#bytes <= lineBytesMax) return;
    if (!wasLong) this.#shortener.push(this.#line.subarray(0, this.#kept));
    this.#shortener.push(bytes.subarray(start + size, end));
  }

  #endLine(): void {
    if (this.#bytes <= lineBytesMax) this.#read(this.#line, 0, this.#bytes);
    else
      this.#take({ bytes: this.#line, from: 0, to: this.#kept, isLong: true }, () => this.#shortener.take());
    this.#drop();
  }

  #drop(): void {
    this.#kept = 0;
    this.#bytes = 0;
    this.#shortener.reset();
  }

  /** Reads a complete line. */
  #read(bytes: Buffer, from: number, to: number): void {
    const isLong = to - from > lineBytesMax;
    this.#take({ bytes, from, to: isLong ? from + lineBytesMax : to, isLong }, () => {
      this.#shortener.push(bytes.subarray(from, to));
      return this.#shortener.take();
    });
  }

  /** `shorten`: returns the shortened line; null: it is not JSON. */
  #take({ bytes, from, to, isLong }: LineHead, shorten: () => string | null): void {
    const start = firstOf(bytes, from, to);
    const end = isLong ? to : lastOf(bytes, start, to);
    if (start === end) return;
    this.counts.lines++;
    if (bytes[start] !== objectStart) {
      this.counts.other++;
      return;
    }
    if (isLong) this.counts.cut++;
    const type = typeAt(bytes, start, end);
    const use = type === null ? 'parsed' : this.#profile.lines[type];
    if (use === undefined) this.#emit(alive);
    else if (use === 'parsed') {
      this.#parse(end - start > wholeBytesMax ? shorten() : bytes.toString('utf8', start, end));
    } else {
      const isMarked = isLong ? shorten()?.includes(use.mark) : holds(bytes, start, end, use.mark);
      this.#addEvents(isMarked === true ? use.events : []);
    }
  }

  #parse(text: string | null): void {
    const line = text === null ? null : jsonOr(text, null);
    if (!isObject(line)) this.counts.invalid++;
    else if (typeof line.type !== 'string') this.counts.other++;
    else this.#addEvents(this.#profile.events(line));
  }

  #addEvents(events: readonly AgentEvent[]): void {
    if (events.length === 0) this.#emit(alive);
    for (const event of events) this.#emit(event);
    if (events.length > 0 && events.every(({ kind }) => kind === 'heartbeat')) this.#heartbeats++;
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

/** The type, if it comes first with no bracket opened before it; null: the caller has to search for it. */
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
