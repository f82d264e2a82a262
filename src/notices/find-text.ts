import { blockEnd } from './line-blocks.js';

const newline = 0x0a;
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
  let from = 0;
  for (let at = lines.indexOf(needle); at !== -1; at = lines.indexOf(needle, from)) {
    if (newlines.length >= fewMatches) return findOften(lines, from, needle, newlines);
    from = lines.indexOf(newline, at + needle.length) + 1;
    if (!endsInReturn || at + needle.length < from - 1) newlines.push(from - 1);
  }
  return newlines;
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
