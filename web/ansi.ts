import { visible } from '../src/text/visible.js';

/** A stretch of text in one style. */
export interface Stretch {
  text: string;
  /** Names of classes; empty: as the rest. */
  style: string;
}

interface Pen {
  fg: string;
  bg: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const plain: Pen = {
  fg: '',
  bg: '',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** Control sequences: CSI, OSC with its end, other escapes of two characters. */
const sequence =
  /\u001b\[([0-9;:<=>?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;
/** A longer line is cut: the browser would need seconds for it. */
const charsMax = 4000;

/** One line of output, in colours. Everything else that a terminal would obey is left out or shown as an escape. */
export function stretchesOf(raw: string): Stretch[] {
  const line = lastPainted(raw.length > charsMax ? `${raw.slice(0, charsMax)}…` : raw);
  const result: Stretch[] = [];
  let pen = plain;
  let at = 0;
  const add = (text: string) => {
    if (text !== '') result.push({ text: visible(text.replace(/[\u0007\b\n]/g, '')), style: styleOf(pen) });
  };
  for (const match of line.matchAll(sequence)) {
    add(line.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === 'm') pen = nextPen(pen, match[1] ?? '');
  }
  add(line.slice(at));
  return result;
}

/** A line that was painted over with \r shows what was painted last. */
function lastPainted(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

function nextPen(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = pen;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if ((code === 38 || code === 48) && (codes[index + 1] === 5 || codes[index + 1] === 2)) {
      const isIndexed = codes[index + 1] === 5;
      const color = isIndexed ? indexed(codes[index + 2] ?? 0) : '';
      next = code === 38 ? { ...next, fg: color } : { ...next, bg: color };
      index += isIndexed ? 2 : 4;
    } else next = { ...next, ...changeOf(code) };
  }
  return next;
}

/** The first sixteen have names; the others are shown in the colour of the text. */
const indexed = (value: number) => (value < 16 ? (names[value % 8] ?? '') : '');

function changeOf(code: number): Partial<Pen> {
  if (code === 0 || Number.isNaN(code)) return plain;
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 3) return { italic: true };
  if (code === 4) return { underline: true };
  if (code === 7) return { inverse: true };
  if (code === 22) return { bold: false, dim: false };
  if (code === 23) return { italic: false };
  if (code === 24) return { underline: false };
  if (code === 27) return { inverse: false };
  if (code === 39) return { fg: '' };
  if (code === 49) return { bg: '' };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { fg: names[code % 10] ?? '' };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { bg: names[code % 10] ?? '' };
  return {};
}

function styleOf({ fg, bg, bold, dim, italic, underline, inverse }: Pen): string {
  return [
    fg && `fg-${fg}`,
    bg && `bg-${bg}`,
    bold && 'bold',
    dim && 'dim',
    italic && 'italic',
    underline && 'underline',
    inverse && 'inverse',
  ]
    .filter(Boolean)
    .join(' ');
}
