import { type ScreenView, shownText, textAbove, unframed } from './screen-view.js';

/** A question on a screen for a person. The text comes from a program and proves nothing. */
export interface ScreenQuestion {
  form: 'buttons' | 'menu' | 'prompt';
  text: string;
}

/** Below a question there are only hints: with more rows of text than this below it, the question is old. */
const rowsBelowMax = 4;

const buttonWord =
  'yes|no|ok|okay|cancel|abort|retry|ignore|continue|quit|exit|back|next|accept|decline|save|discard';
const button = new RegExp(`<\\s*(?:${buttonWord})\\s*>|\\[\\s*(?:${buttonWord})\\s*\\]`, 'gi');

const boxTop = /^\s*[┌╭╔┏]/;

/** The chosen row of a menu; its other rows have their text in the same column. */
const pointed = /^(?<before>[\s\u2500-\u257f]*[❯›▸►➤>]\s+)\S/;
/** As above; the mark is also used for lists of other kinds, so the rows must be numbered. */
const pointedNumber = /^(?<before>[\s\u2500-\u257f]*[●◉◆]\s+)\d+[.)] \S/;
/** A pair of radio buttons or check boxes. */
const chosen = /^[\s\u2500-\u257f]*(?:[●◉◼☑]|\([*x•]\)|\[[*x✔]\])\s+\S/;
const notChosen = /^[\s\u2500-\u257f]*(?:[○◯◻☐]|\( \)|\[ \])\s+\S/;

const beforeCharsMax = 200;

const answers = String.raw`(?:\[[^\]]{1,40}\]|\([^)]{1,40}\))`;
/** Text before the cursor when a program asks for a line. */
const prompts: readonly RegExp[] = [
  new RegExp(String.raw`\?\s*${answers}?\s*[:›>»]?\s*$`),
  /^\s*\? .{1,120}[:›»…]\s*$/,
  /[[(]\s*y(?:es)?\s*[/|,]\s*n(?:o)?\b[^\])]{0,30}[\])]\s*[:?]?\s*$/i,
  /\b(?:password|passphrase|username|user name|login|email|e-mail|token|otp|code|choice|selection|answer)\b[^:]{0,40}:\s*$/i,
  /\b(?:enter|type|press|choose|select)\b[^:]{0,60}[:.]\s*$/i,
];

/** The question on the screen that seems to be still open; null: no question. */
export function findQuestion(view: ScreenView): ScreenQuestion | null {
  return promptAtCursor(view) ?? menu(view) ?? buttons(view);
}

function promptAtCursor(view: ScreenView): ScreenQuestion | null {
  const { lines, cursorRow, beforeCursor, isCursorShown } = view;
  if (!isCursorShown || textRowsBelow(lines, cursorRow) > rowsBelowMax) return null;
  const before = beforeCursor.replace(/\s+/g, ' ').slice(-beforeCharsMax);
  // Typed text stands behind the question.
  const typed = before.slice(0, before.search(/\S*\s*$/));
  if (!prompts.some((prompt) => prompt.test(before) || prompt.test(typed))) return null;
  return { form: 'prompt', text: shownText(unframed(before)) };
}

function menu({ lines }: ScreenView): ScreenQuestion | null {
  for (let row = lines.length - 1; row >= 0; row--) {
    const first = firstOption(lines, row);
    if (first === null) continue;
    const last = lastOption(lines, row);
    if (textRowsBelow(lines, last) > rowsBelowMax) return null;
    return { form: 'menu', text: shownText(textAbove(lines, first)) };
  }
  return null;
}

/** The first option of the menu whose chosen row this is; null: the row is not part of a menu. */
function firstOption(lines: readonly string[], row: number): number | null {
  const isOption = optionTest(lines[row] ?? '');
  if (isOption === null) return null;
  const hasOther = [row - 1, row + 1].some((at) => isOption(lines[at] ?? ''));
  if (!hasOther) return null;
  let first = row;
  while (first > 0 && isOption(lines[first - 1] ?? '')) first--;
  return first;
}

function lastOption(lines: readonly string[], row: number): number {
  const isOption = optionTest(lines[row] ?? '');
  let last = row;
  while (isOption?.(lines[last + 1] ?? '')) last++;
  return last;
}

/** Whether another row is an option beside a chosen row; null: the row is not an option. */
function optionTest(line: string): ((other: string) => boolean) | null {
  const before = (pointed.exec(line) ?? pointedNumber.exec(line))?.groups?.before;
  if (before !== undefined) {
    const column = before.length;
    return (other) =>
      other.length > column &&
      /^[\s\u2500-\u257f]*$/.test(other.slice(0, column)) &&
      /\S/.test(other[column] ?? '');
  }
  return chosen.test(line) ? (other) => notChosen.test(other) : null;
}

function buttons({ lines }: ScreenView): ScreenQuestion | null {
  for (let row = lines.length - 1; row >= 0; row--) {
    const line = unframed(lines[row] ?? '');
    const found = line.match(button);
    // The row has nothing but buttons: a text may name them, too.
    if (found === null || line.replace(button, '').replace(/[\s\u2500-\u259f]/g, '') !== '') continue;
    return { form: 'buttons', text: shownText(boxText(lines, row)) };
  }
  return null;
}

/** The first text of the box whose buttons are in this row; its title is part of its frame. */
function boxText(lines: readonly string[], row: number): string {
  let top = row;
  while (top > 0 && lines[top - 1]?.trim() !== '' && !boxTop.test(lines[top] ?? '')) top--;
  const texts: string[] = [];
  for (let at = boxTop.test(lines[top] ?? '') ? top + 1 : top; at < row; at++) {
    const text = unframed(lines[at] ?? '');
    if (text !== '') texts.push(text);
    else if (texts.length > 0) break;
  }
  return texts.join(' ');
}

function textRowsBelow(lines: readonly string[], row: number): number {
  return lines.slice(row + 1).filter((line) => unframed(line) !== '').length;
}
