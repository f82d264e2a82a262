/** Text from a process, safe for a terminal: no control characters, no escape sequences. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => {
      if (character === '\n') return '\\n';
      if (character === '\t') return '\\t';
      const code = character.charCodeAt(0);
      const digits = code.toString(16);
      return code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
    },
  );
}

/** A name inside a sentence, quoted where it could be read as more than a name. */
export function printableName(name: string): string {
  const shown = printable(name);
  return /["`\\]|[.,:;!?]\s|^\s|\s$/.test(shown) ? JSON.stringify(shown) : shown;
}

/** The same for a path or an address, which seldom has spaces. */
export function printablePath(path: string): string {
  const shown = printable(path);
  return /["`\\]|\s(?!\(deleted\)$)/.test(shown) ? JSON.stringify(shown) : shown;
}
