/** Characters without a width: combining or invisible. */
const zero = /[\p{M}\p{Cf}]/u;
/** Characters of two columns: East Asian wide and full width, and emoji. */
const double =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (zero.test(character)) return 0;
  return double.test(character) ? 2 : 1;
}

/** Columns that a text without control characters takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts to this many columns, at a whole character; a cut text ends with … */
export function cutToWidth(text: string, columns: number): string {
  if (text.length <= columns / 2 || displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Cuts or pads to exactly this many columns. */
export function fitToWidth(text: string, columns: number): string {
  const cut = cutToWidth(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - displayWidth(cut)));
}

/** Splits to lines of at most this many columns, at spaces where there are some; later lines keep the indent. */
export function wrapToWidth(text: string, columns: number): string[] {
  const indent = /^ */.exec(text)?.[0].slice(0, Math.floor(columns / 2)) ?? '';
  const lines: string[] = [];
  let rest = text;
  while (displayWidth(rest) > columns) {
    let at = 0;
    let width = 0;
    for (const character of rest) {
      width += characterWidth(character);
      // At least one character per line, so that it ends.
      if (width > columns && at > indent.length) break;
      at += character.length;
    }
    const space = rest.lastIndexOf(' ', at);
    const end = space > indent.length ? space : at;
    lines.push(rest.slice(0, end).trimEnd());
    const next = rest.slice(end).trimStart();
    if (next === '') return lines;
    rest = indent + next;
  }
  return [...lines, rest];
}
