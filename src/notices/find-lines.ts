import { isAscii } from 'node:buffer';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { lineNumbersOf, newlinesOf } from '../diagnose/notices/line-ends.js';
import type { RegexPattern } from '../diagnose/notices/pattern.js';
import { withinTime } from '../run/output/within-time.js';

const carriageReturn = 0x0d;

/** A search call on bytes costs more than on text, but making a text costs more than a few calls. */
const fewMatches = 16;

/**
 * The newlines of the lines that contain a text. All lines are searched at once; line borders are found only at a
 * match.
 */
export function findText(lines: Buffer, text: string): number[] {
  const needle = Buffer.from(text);
  const endsInReturn = needle.at(-1) === carriageReturn;
  const newlines: number[] = [];
  const next = searchFor(needle, lines);
  let from = 0;
  for (let at = next(from); at !== -1; at = next(from)) {
    if (newlines.length >= fewMatches) return findOften(lines, from, needle, newlines);
    from = lines.indexOf(newline, at + needle.length) + 1;
    if (!endsInReturn || at + needle.length < from - 1) newlines.push(from - 1);
  }
  return newlines;
}

/** Bytes that show which byte of a text is rare; not worth it for less than many times as much. */
const sampleBytes = 2048;
const sampledBytesMin = 32 * sampleBytes;
/** After so many places that have only the end of the text, the whole text is searched. */
const missesMax = 16;

/**
 * Finds the next place of a text. Node looks for its first byte, which may be in every line (`FATAL` beside `INFO`): from its
 * rarest byte on, fewer places are compared.
 */
function searchFor(needle: Buffer, lines: Buffer): (from: number) => number {
  const skip = lines.length < sampledBytesMin ? 0 : rarestAt(needle, lines.subarray(0, sampleBytes));
  if (skip === 0) return (from) => lines.indexOf(needle, from);
  const end = needle.subarray(skip);
  let misses = 0;
  return (from) => {
    for (let at = from + skip; misses < missesMax; misses += 1) {
      const found = lines.indexOf(end, at);
      if (found === -1 || lines.compare(needle, 0, skip, found - skip, found) === 0)
        return found === -1 ? -1 : found - skip;
      at = found + 1;
    }
    return lines.indexOf(needle, from);
  };
}

/** The place of the byte that the sample has least; the first of several. */
function rarestAt(needle: Buffer, sample: Buffer): number {
  const counts = new Uint16Array(256);
  for (const byte of sample) counts[byte] = (counts[byte] ?? 0) + 1;
  let rarest = 0;
  for (const [at, byte] of needle.entries()) {
    if ((counts[byte] ?? 0) < (counts[needle[rarest] ?? 0] ?? 0)) rarest = at;
  }
  return rarest;
}

/** The same on text with a character for each byte. */
function findOften(lines: Buffer, from: number, bytes: Buffer, newlines: number[]): number[] {
  const needle = bytes.toString('latin1');
  const endsInReturn = needle.endsWith('\r');
  for (let blockAt = from; blockAt < lines.length; ) {
    const to = blockEnd(lines, blockAt);
    const block = lines.toString('latin1', blockAt, to);
    for (let at = block.indexOf(needle); at !== -1; ) {
      const end = block.indexOf('\n', at + needle.length);
      if (!endsInReturn || at + needle.length < end) newlines.push(blockAt + end);
      at = block.indexOf(needle, end + 1);
    }
    blockAt = to;
  }
  return newlines;
}

/** After this much work without a pause other work gets a turn, however many patterns there are. */
const turnMs = 10;
let turnBeganMs = 0;

interface Found {
  /** The newlines of the matching lines. For a pattern that is too slow, only the first of them. */
  newlines: number[];
  isTooSlow: boolean;
}

/** The newlines of the lines that match. A pattern is too slow when it does not get through a block in time. */
export async function findRegex(lines: Buffer, pattern: RegexPattern): Promise<Found> {
  const blocks: LineBlock[] = [];
  let searched = 0;
  /** May be interrupted anywhere. The last block is then searched again. */
  const search = () => {
    for (let from = blocks[searched - 1]?.to ?? 0; from < lines.length; searched += 1) {
      const block = blockFrom(lines, from);
      blocks[searched] = block;
      searchBlock(block, pattern);
      from = block.to;
    }
  };
  for (;;) {
    if (performance.now() - turnBeganMs > turnMs) {
      await letOthersRun();
      turnBeganMs = performance.now();
    }
    const before = searched;
    const done = withinTime(search);
    const isTooSlow = done === null && searched === before;
    if (done !== null || isTooSlow) {
      return { newlines: blocks.flatMap((block) => newlinesFound(lines, block)), isTooSlow };
    }
  }
}

/** Line ends other than the newline. */
const lineEnds = ['\r', '\u2028', '\u2029'];

function searchBlock({ text, ends }: LineBlock, { regex, over }: RegexPattern): void {
  if (over === null || lineEnds.some((end) => text.includes(end))) testEach(text, regex, ends);
  else testAtOnce(text, over, ends);
}

function testAtOnce(text: string, regex: RegExp, ends: number[]): void {
  for (let at = 0; ; ) {
    regex.lastIndex = at;
    const end = regex.test(text) ? text.indexOf('\n', regex.lastIndex) : -1;
    if (end === -1) return;
    ends.push(end);
    at = end + 1;
  }
}

function testEach(text: string, regex: RegExp, ends: number[]): void {
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (regex.test(text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end))) ends.push(end);
  }
}

const newline = 0x0a;

/** V8 allocates a longer text outside its young heap, which takes several times as long as searching it. */
const blockBytesMax = 96 * 1024;

/** Where a block of whole lines that begins at `from` ends. No line may be longer than a block. */
export function blockEnd(lines: Buffer, from: number): number {
  if (lines.length - from <= blockBytesMax) return lines.length;
  return lines.lastIndexOf(newline, from + blockBytesMax - 1) + 1;
}

export interface LineBlock {
  from: number;
  to: number;
  text: string;
  /** A character for each byte. */
  isAscii: boolean;
  /** Where the matching lines end in the text, ascending. */
  ends: number[];
}

export function blockFrom(lines: Buffer, from: number): LineBlock {
  const to = blockEnd(lines, from);
  const bytes = lines.subarray(from, to);
  const ascii = isAscii(bytes);
  return { from, to, text: bytes.toString(ascii ? 'latin1' : 'utf8'), isAscii: ascii, ends: [] };
}

/** The same positions in bytes. */
export function newlinesFound(lines: Buffer, { from, to, text, isAscii: ascii, ends }: LineBlock): number[] {
  if (ends.length === 0) return ends;
  const places = ascii ? ends : newlinesOf(lines.subarray(from, to), lineNumbersOf(text, ends));
  return places.map((place) => from + place);
}
