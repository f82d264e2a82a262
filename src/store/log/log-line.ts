import { headOf, tailOf } from '../../text/head-and-tail.js';
import { plainText } from '../../text/plain-text.js';
import { continuedBytes, unfinishedBytes } from '../../text/utf8-cut.js';
import type { ReadAt } from './line-index.js';

/** Longer lines are cut in the middle. */
const lineCharsMax = 2000;
const headChars = 1400;

/** A longer line is never held in memory whole. */
const lineBytesMax = 64 * 1024;

/** The beginning and the end of a line longer than `lineBytesMax`, or the whole line and nothing. */
interface LineBytes {
  head: Buffer;
  tail: Buffer;
  /** Bytes between the two. */
  between: number;
}

const windowBytes = 1024 * 1024;
const newline = 0x0a;

/** Reads the lines that begin at these offsets; the last offset is the end of the last line. */
export async function readLines(
  read: ReadAt,
  starts: readonly number[],
  plain: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const end = starts.at(-1) ?? 0;
  let window = { from: 0, bytes: Buffer.alloc(0) };
  const bytesAt = async (from: number, length: number) => {
    if (from < window.from || from + length > window.from + window.bytes.length) {
      signal.throwIfAborted();
      const buffer = Buffer.allocUnsafe(Math.max(length, Math.min(windowBytes, end - from)));
      window = { from, bytes: buffer.subarray(0, await read(buffer, from)) };
    }
    return window.bytes.subarray(from - window.from, from - window.from + length);
  };
  const lines: string[] = [];
  for (const [at, start] of starts.slice(0, -1).entries()) {
    const length = (starts[at + 1] as number) - start;
    const isLong = length > lineBytesMax;
    const half = lineBytesMax / 2;
    const head = await bytesAt(start, isLong ? half : length);
    const tail = isLong ? await bytesAt(start + length - half, half) : Buffer.alloc(0);
    const between = isLong ? length - lineBytesMax : 0;
    const [first, last] = isLong ? [head, withoutLineEnd(tail)] : [withoutLineEnd(head), tail];
    lines.push(lineText({ head: first, tail: last, between }, plain));
  }
  return lines;
}

function withoutLineEnd(bytes: Buffer): Buffer {
  return bytes.at(-1) === newline ? bytes.subarray(0, -1) : bytes;
}

/** One line as it is shown, without its line end, with the number of characters left out. */
function lineText({ head, tail, between }: LineBytes, plain: boolean): string {
  if (between === 0 && tail.length === 0) return bounded(decode(head, plain), 0, '');
  const end = decode(plain ? afterRepaint(tail) : tail, plain);
  // Of a line that was overwritten repeatedly, the final state matters.
  return plain ? bounded('', between + head.length, end) : bounded(decode(head, false), between, end);
}

function bounded(head: string, between: number, tail: string): string {
  if (between === 0 && tail === '' && head.length <= lineCharsMax) return head;
  const shownHead = headOf(head, headChars);
  const rest = tail === '' ? head.slice(shownHead.length) : tail;
  const shownTail = tailOf(rest, lineCharsMax - shownHead.length);
  const omitted = head.length + between + tail.length - shownHead.length - shownTail.length;
  return `${shownHead} …(+${omitted} characters)… ${shownTail}`.trimStart();
}

function decode(bytes: Buffer, plain: boolean): string {
  const whole = bytes.subarray(continuedBytes(bytes), bytes.length - unfinishedBytes(bytes));
  const text = withoutReturns(whole.toString());
  // A sequence that clears the screen splits one line into two rows.
  return plain ? plainText(text).replaceAll('\n', ' ').trimEnd() : text;
}

function afterRepaint(tail: Buffer): Buffer {
  return tail.subarray(tail.indexOf('\r') + 1);
}

/** By hand: a regular expression takes quadratic time on a line full of returns. */
function withoutReturns(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\r') end--;
  return text.slice(0, end);
}
