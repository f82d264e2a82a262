/** Marks that are drawn over the character before them, and invisible format characters. */
const noWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

/** Blocks whose characters take two cells: Hangul, CJK, full-width forms. First and last code point of each. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** How many cells of a terminal a character takes. */
export function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) as number;
  if (code < 0x300) return 1;
  if (noWidth.test(character)) return 0;
  const isWide = wideBlocks.some(([first, last]) => code >= first && code <= last);
  return isWide || emoji.test(character) ? 2 : 1;
}
