import { redact } from '../../redact/redact.js';
import { printable } from '../../text/printable.js';

/** What a person would see on a terminal at one moment. */
export interface ScreenView {
  lines: readonly string[];
  cursorRow: number;
  /** The text left of the cursor. */
  beforeCursor: string;
  isCursorShown: boolean;
}

const textCharsMax = 200;

/** Frames, scroll bars and shades around a text. */
const frame = /^[\s\u2500-\u259f]+|[\s\u2500-\u259f]+$/g;

/** The text of a row, without the frame it is in. */
export function unframed(line: string): string {
  return line.replace(frame, '');
}

/** A spinner or a mark before a question. */
const mark = /^(?:[\u2800-\u28ff◐◓◑◒✢✳✶✻✽?✔●■▲△] )+/;

/** Text of a screen as it may be shown elsewhere: secrets masked, no control characters, short. */
export function shownText(text: string): string {
  const whole = printable(redact(text.replace(/\s+/g, ' ').trim().replace(mark, '')));
  const characters = [...whole];
  return characters.length <= textCharsMax ? whole : `${characters.slice(0, textCharsMax - 1).join('')}…`;
}

/** The nearest row above that has text; '': there is no such row. */
export function textAbove(lines: readonly string[], row: number): string {
  for (let at = row - 1; at >= 0; at--) {
    const text = unframed(lines[at] ?? '');
    if (text !== '') return text;
  }
  return '';
}
