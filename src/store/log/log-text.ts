import {
  aroundOmitted,
  type Bounded,
  headAndTail,
  headOf,
  headShare,
  tailOf,
} from '../../text/head-and-tail.js';
import { plainText } from '../../text/plain-text.js';
import { continuedBytes, unfinishedBytes } from '../../text/utf8-cut.js';

/** A range up to this size is read whole, so that the omitted part is counted exactly. */
const wholeBytesMax = 2 * 1024 * 1024;
/** At least this much is read at either end of a longer range: overwritten lines need room. */
const partBytesMin = 128 * 1024;
const charactersMax = 1_000_000;
/** UTF-8 bytes per UTF-16 code unit. */
const bytesPerCharacterMax = 3;

/** A longer sequence is not a control sequence. */
const sequenceBytesMax = 256;
const unfinishedSequence = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;

export interface TextOptions {
  limit: number;
  plain: boolean;
  /** No more output will come: an incomplete character at the end is given out as U+FFFD. */
  ended?: boolean;
}

export interface LogText extends Bounded {
  /** Where the next read starts: never inside a character and, in plain text, never inside a control sequence. */
  next: number;
}

interface Range {
  /** The requested start. */
  from: number;
  /** The first byte that is kept: later than `from` when the head of the log was dropped. */
  first: number;
  end: number;
}

/**
 * The text between two offsets. Bytes that were not read count as one character each, so `omitted` is an upper bound.
 */
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

/** The beginning was dropped for the disk cap: there is no head to show. */
function withGone(gone: number, text: string, limit: number): Bounded {
  const tail = tailOf(text, limit);
  const omitted = gone + text.length - tail.length;
  return { output: omitted === 0 ? tail : aroundOmitted('', omitted, tail), omitted };
}

/** Bytes at the end that are incomplete without those to come. */
function heldBack(bytes: Buffer, plain: boolean): number {
  if (!plain) return unfinishedBytes(bytes);
  const end = bytes.subarray(-sequenceBytesMax).toString('latin1');
  return unfinishedSequence.exec(end)?.[0].length ?? unfinishedBytes(bytes);
}
