/** Text of limited length, in UTF-16 code units. */
export interface Bounded {
  output: string;
  /** Characters omitted in the middle. */
  omitted: number;
}

/** Share of each side that may be dropped to cut at a line end. */
const givenUpMax = 1 / 4;

/** The smaller share, because errors are at the end. */
export const headShare = 0.4;

/** The beginning and the end of a text longer than `max`, with a line between that counts what is omitted. */
export function headAndTail(text: string, max: number): Bounded {
  if (text.length <= max) return { output: text, omitted: 0 };
  const head = headOf(text, Math.floor(max * headShare));
  const tail = tailOf(text, Math.floor(max) - head.length);
  const omitted = text.length - head.length - tail.length;
  return { output: aroundOmitted(head, omitted, tail), omitted };
}

/** At most `max` characters from the beginning: whole characters, and whole lines if possible. */
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

/** The marker is on a line of its own. */
export function aroundOmitted(head: string, omitted: number, tail: string): string {
  // Not toLocaleString: its first call takes 20 ms.
  const count = String(omitted).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const marker = `… [${count} characters omitted] …`;
  const above = head === '' || head.endsWith('\n') ? '' : '\n';
  return `${head}${above}${marker}\n${tail}`;
}

/** Between the two halves of a surrogate pair. */
function isInsideCharacter(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
