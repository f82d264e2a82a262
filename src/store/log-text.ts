import {
  aroundOmitted,
  type Bounded,
  headAndTail,
  headOf,
  headShare,
  tailOf,
} from '../model/head-and-tail.js';
import { plainText } from '../model/plain-text.js';
import { continuedBytes, unfinishedBytes } from '../model/utf8-cut.js';

/** A range up to this is read whole, and what is left out of it is counted exactly. */
const wholeBytesMax = 2 * 1024 * 1024;
/** Of a longer one, at least so much at either end: repaints need room. */
const partBytesMin = 128 * 1024;
const charactersMax = 1_000_000;
/** Of UTF-8, for one character as strings count them. */
const bytesPerCharacterMax = 3;

/** Any sequence that is longer is none. */
const sequenceBytesMax = 256;
const unfinishedSequence = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;

export interface TextOptions {
  limit: number;
  plain: boolean;
  /** Nothing will come any more: half a character at the end is given out as U+FFFD. */
  ended?: boolean;
}

export interface LogText extends Bounded {
  /** Where the next read goes on: never inside a character, nor, in plain text, inside a control sequence. */
  next: number;
}

interface Range {
  /** What was asked for. */
  from: number;
  /** What there is of it: later than `from` when the head of the log was given up. */
  first: number;
  end: number;
}

/** D3: what is between two offsets. Bytes that nobody read count as characters: at most so many are left out. */
export function readText(
  read: (offset: number, length: number) => Buffer,
  { from, first, end }: Range,
  { plain, ended = false, ...options }: TextOptions,
): LogText {
  if (first >= end) return { ...withGone(Math.max(0, end - from), '', 0), next: Math.max(from, end) };
  const limit = Math.min(options.limit, charactersMax);
  const partBytes = Math.max(partBytesMin, bytesPerCharacterMax * limit);
  const gone = first - from;
  const text = (bytes: Buffer) => (plain ? plainText(bytes.toString()) : bytes.toString());
  const heldIn = (bytes: Buffer) => (ended ? 0 : heldBack(bytes, plain));

  if (end - first <= Math.max(wholeBytesMax, 2 * partBytes)) {
    const bytes = read(first, end - first);
    const held = heldIn(bytes);
    const whole = text(bytes.subarray(0, bytes.length - held));
    const bounded = gone > 0 ? withGone(gone, whole, limit) : headAndTail(whole, limit);
    return { ...bounded, next: first + bytes.length - held };
  }

  const headBytes = read(first, partBytes);
  const tailBytes = read(end - partBytes, partBytes);
  const held = heldIn(tailBytes);
  const next = end - held;
  const tail = text(tailBytes.subarray(continuedBytes(tailBytes), tailBytes.length - held));
  const unread = end - first - 2 * partBytes;
  if (gone > 0) return { ...withGone(gone + unread + headBytes.length, tail, limit), next };
  const head = text(headBytes.subarray(0, headBytes.length - unfinishedBytes(headBytes)));
  const shownHead = headOf(head, Math.floor(limit * headShare));
  const shownTail = tailOf(tail, limit - shownHead.length);
  const omitted = head.length - shownHead.length + unread + tail.length - shownTail.length;
  return { output: aroundOmitted(shownHead, omitted, shownTail), omitted, next };
}

/** The beginning was given up for the disk cap: there is no head to show. */
function withGone(gone: number, text: string, limit: number): Bounded {
  const tail = tailOf(text, limit);
  const omitted = gone + text.length - tail.length;
  return { output: omitted === 0 ? tail : aroundOmitted('', omitted, tail), omitted };
}

/** Bytes at the end that mean nothing without those to come. */
function heldBack(bytes: Buffer, plain: boolean): number {
  if (!plain) return unfinishedBytes(bytes);
  const end = bytes.subarray(-sequenceBytesMax).toString('latin1');
  return unfinishedSequence.exec(end)?.[0].length ?? unfinishedBytes(bytes);
}
