import { randomBytes } from 'node:crypto';
import { visible } from '../text/visible.js';

/** Text that a program printed. */
export interface Printed {
  /** Where it comes from: the id of a run, or a notice. */
  of: string;
  text: string;
}

const newMark = () => randomBytes(4).toString('hex');

/**
 * Blocks between marks that no program can have printed: the mark is made for this answer, after the text was read.
 * Blank text has no block.
 */
export function fence(printed: readonly Printed[], makeMark = newMark): string[] {
  const blocks = printed
    .map(({ of, text }) => ({ of, text: visible(text).trimEnd() }))
    .filter(({ text }) => text.trim() !== '');
  let mark = makeMark();
  while (blocks.some(({ text }) => text.includes(mark))) mark = makeMark();
  return blocks.map(({ of, text }) => `<output-${mark} ${of}>\n${text}\n</output-${mark}>`);
}
