import { backslash, letterU, quote } from './json-bytes.js';

/** The position behind the closing quote of a JSON string; null: it is in a later chunk. */
export interface StringEnd {
  after: number | null;
  /** The first byte of the next chunk is escaped. */
  isEscaped: boolean;
}

/**
 * Finds the end of a string whose content does not matter. Only quotes are checked: a quote with an odd number of
 * backslashes before it is part of the string. `isEscaped`: the first byte is escaped.
 */
export function findStringEnd(chunk: Buffer, start: number, isEscaped: boolean): StringEnd {
  const first = isEscaped ? start + 1 : start;
  for (let from = first; ; ) {
    const found = chunk.indexOf(quote, from);
    const stop = found === -1 ? chunk.length : found;
    let slashes = 0;
    while (stop - slashes > first && chunk[stop - slashes - 1] === backslash) slashes++;
    const isOdd = slashes % 2 === 1;
    if (found === -1) return { after: null, isEscaped: isOdd };
    from = found + 1;
    if (!isOdd) return { after: from, isEscaped: false };
  }
}

/**
 * The position of the next byte of a string within an escape: 0 outside, 1 after a backslash, 5 to 2 in the digits
 * after \u.
 */
export function nextEscape(left: number, byte: number): number {
  if (left === 0) return byte === backslash ? 1 : 0;
  if (left === 1) return byte === letterU ? 5 : 0;
  return left === 2 ? 0 : left - 1;
}
