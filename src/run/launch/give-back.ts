import type { Inherited } from '../../model/run/inherited.js';

/** A word of the command line of the shim, or bytes that no string can hold. */
export type Word = string | Buffer;

const trailer = 'x';

/** A shell drops the newlines at the end of a substitution, so a letter protects them. */
function printed(bytes: Buffer): string {
  const escaped = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  return `$(printf '${escaped}${trailer}')`;
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
    return `"\${us_b${lines.length - 1}%${trailer}}"`;
  });
  return [...lines, `set -- ${names.join(' ')}`];
}

/** Node starts the shim with all signals at their default, so only the ignored ones are left to restore. */
export function signalLines({ ignored }: Inherited): string[] {
  return ignored.length === 0 ? [] : [`trap '' ${ignored.join(' ')}`];
}
