import { headOf } from './head-and-tail.js';

/**
 * Characters that are not seen or that move others: controls, bidirectional and zero-width characters, tags, variation
 * selectors, fillers, lone surrogates. A person does not see them, but a model reads them. One selector after an emoji
 * is ordinary; more of them can hide a message.
 */
const unseen =
  /(?<=\p{Extended_Pictographic})(?<selector>\ufe0f)|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Text with such characters as escapes, such as `\u202e`. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(unseen, (character, selector?: string) =>
    character === '\n' || character === '\t' || selector !== undefined ? character : escapeOf(character),
  );
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** A quotation on one line, of about `max` characters: what is quoted cannot end it. */
export function quoted(text: string, max: number): string {
  const cut = text.length <= max ? text : `${headOf(text, max - 1)}…`;
  return `"${oneLine(cut.replace(/[\\"]/g, '\\$&'))}"`;
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
