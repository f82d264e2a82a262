import { printable } from '../../../text/printable.js';
import { cutToWidth, wrapToWidth } from '../../output/display-width.js';
import type { Mode } from './state.js';
import { type Colors, type TopView, textRows } from './view.js';

const keyHelp = [
  'j k, arrows     choose a run; Page keys, g and G: by pages, first, last',
  'Enter, w        why: what it waits for, with the evidence',
  'l               its output; follows the end until you scroll up',
  'a               answer: a line for its input (started with --stdin or --pty)',
  'x               stop it and everything it started; asks first',
  'r               run it again; asks first',
  '/               find: runs that have these words; Esc shows all',
  'Ctrl-Z          back to the shell for a while; fg returns',
  'q, Ctrl-C       quit; the runs go on',
];

function textLines(title: string, lines: readonly string[], view: TopView, colors: Colors): string[] {
  const rows = textRows(view.rows);
  const shown = lines.slice(0, rows).map((line) => cutToWidth(line, view.columns));
  const rest = Array<string>(rows - shown.length).fill('');
  return [colors.bold(cutToWidth(title, view.columns)), ...shown, ...rest];
}

/** Lines of a `why`, as they are on a screen of this width. */
export const whyLines = (text: string, columns: number) =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapToWidth(printable(line), columns));

function logLines(mode: Mode & { kind: 'log' }, label: string, view: TopView, colors: Colors): string[] {
  const { page, from } = mode;
  if (page === null) return textLines(`${label}: reading its output ...`, [], view, colors);
  const { lines, offset, totalLines, atLeast } = page;
  const wrapped = lines.flatMap((line) => wrapToWidth(printable(line), view.columns));
  const rows = textRows(view.rows);
  const count = `${totalLines.toLocaleString('en')}${atLeast ? ' or more' : ''}`;
  const where =
    from === null
      ? `the end of ${count} lines, followed`
      : `from line ${(offset + 1).toLocaleString('en')} of ${count}`;
  const shown = from === null ? wrapped.slice(-rows) : wrapped.slice(0, rows);
  return textLines(
    `${label}: ${lines.length === 0 ? 'nothing was printed yet' : where}`,
    shown,
    view,
    colors,
  );
}

/** A text in place of the table: the keys, why a run waits, its output. */
export function textView(
  mode: Mode & { kind: 'keys' | 'why' | 'log' },
  labelOf: (id: string) => string,
  view: TopView,
  colors: Colors,
): string[] {
  if (mode.kind === 'keys') {
    const lines = keyHelp.flatMap((line) => wrapToWidth(line, view.columns));
    return textLines('Keys', lines, view, colors);
  }
  const label = labelOf(mode.id);
  if (mode.kind === 'log') return logLines(mode, label, view, colors);
  if (mode.lines === null) return textLines(`${label}: reading what it waits for ...`, [], view, colors);
  return textLines(`${label}: why`, mode.lines.slice(mode.top), view, colors);
}
