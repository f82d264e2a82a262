/** D3: text for whoever pays for every character. Characters are counted as strings count them (UTF-16). */
export interface Bounded {
  output: string;
  /** Characters left out of the middle. */
  omitted: number;
}

/** Of each side, this part may be given up to cut between two lines. */
const givenUpMax = 1 / 4;

/** The end is where errors are. */
export const headShare = 0.4;

/** The first and the last of a text that is longer than `max`, with a line between that says what is missing. */
export function headAndTail(text: string, max: number): Bounded {
  if (text.length <= max) return { output: text, omitted: 0 };
  const head = headOf(text, Math.floor(max * headShare));
  const tail = tailOf(text, Math.floor(max) - head.length);
  const omitted = text.length - head.length - tail.length;
  return { output: aroundOmitted(head, omitted, tail), omitted };
}

/** At most `max` characters from the beginning: whole ones, and whole lines if there are any. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const lineEnd = text.lastIndexOf('\n', max - 1) + 1;
  if (max > 0 && lineEnd >= max * (1 - givenUpMax)) return text.slice(0, lineEnd);
  return text.slice(0, isInsideCharacter(text, max) ? max - 1 : max);
}

/** The same from the end. */
export function tailOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max;
  const lineStart = text.indexOf('\n', from - 1) + 1;
  if (lineStart > 0 && lineStart <= from + max * givenUpMax && lineStart < text.length)
    return text.slice(lineStart);
  return text.slice(isInsideCharacter(text, from) ? from + 1 : from);
}

/** On a line of its own. */
export function aroundOmitted(head: string, omitted: number, tail: string): string {
  // Not toLocaleString: its first call takes 20 ms.
  const count = String(omitted).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const marker = `… [${count} characters omitted] …`;
  const above = head === '' || head.endsWith('\n') ? '' : '\n';
  return `${head}${above}${marker}\n${tail}`;
}

/** Between the two halves of a character outside of the first 65,536. */
function isInsideCharacter(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
