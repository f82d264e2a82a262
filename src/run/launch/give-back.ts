import type { Inherited } from '../../model/run/inherited.js';

/** A word of the command line of the shim, or bytes that no string can hold. */
export type Word = string | Buffer;

/**
 * A shell drops the newlines at the end of a substitution, so they follow it. (A letter that protects them would have to
 * be cut off, and bash 5 swaps bytes then, where they are not characters of its locale.)
 */
function printed(bytes: Buffer): string {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0x0a) length -= 1;
  const escaped = [...bytes.subarray(0, length)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `$(printf '${escaped.join('')}')'${'\n'.repeat(bytes.length - length)}'`;
}

/** Lines that make `words` the arguments of the shell. Those that are strings are its arguments already. */
export function wordLines(words: readonly Word[]): string[] {
  if (words.every((word) => typeof word === 'string')) return [];
  const lines: string[] = [];
  let position = 0;
  const names = words.map((word) => {
    if (typeof word === 'string') {
      position += 1;
      return `"\${${position}}"`;
    }
    lines.push(`us_b${lines.length}=${printed(word)}`);
    return `"$us_b${lines.length - 1}"`;
  });
  return [...lines, `set -- ${names.join(' ')}`];
}

/** Node starts the shim with all signals at their default, so only the ignored ones are left to restore. */
export function signalLines({ ignored }: Inherited): string[] {
  return ignored.length === 0 ? [] : [`trap '' ${ignored.join(' ')}`];
}
