import { printable } from '../../text/printable.js';

/** Replaces half surrogate pairs, which are not characters and which no file format can hold. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Never cuts inside a character, and marks the cut. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${wholeCharacters(text.slice(0, charactersMax)).replace(/\ufffd$/, '')}…`;
}

/** Lines for a person to read: tabs stay, every other control character is made visible. */
export function readableLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r\n|\r|\n/))
    .map((line) => wholeCharacters(line).split('\t').map(printable).join('\t'));
}
