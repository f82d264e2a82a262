import { printable } from '../../text/printable.js';

/** Half of a pair that UTF-16 needs two of: no character, and no file format can hold it. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Cut in the middle of no character; what is missing shows. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${wholeCharacters(text.slice(0, charactersMax)).replace(/\ufffd$/, '')}…`;
}

/** Lines as a person may read them: tabs stay, every other control character shows itself. */
export function readableLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r\n|\r|\n/))
    .map((line) => wholeCharacters(line).split('\t').map(printable).join('\t'));
}
