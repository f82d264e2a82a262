/** Text from a process, safe for a terminal: no control characters, no escape sequences. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => {
      if (character === '\n') return '\\n';
      if (character === '\t') return '\\t';
      return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
    },
  );
}
