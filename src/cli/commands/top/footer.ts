import { printable } from '../../../text/printable.js';
import { cutToWidth, displayWidth } from '../../output/display-width.js';
import { shortId } from '../../shared/short-id.js';
import type { Mode, Top } from './state.js';
import type { Colors } from './view.js';

const keyLists: Record<
  Exclude<Mode['kind'], 'find' | 'answer' | 'confirm'>,
  [key: string, what: string][]
> = {
  table: [
    ['q', 'quit'],
    ['Enter', 'why'],
    ['l', 'log'],
    ['x', 'stop'],
    ['a', 'answer'],
    ['r', 'run again'],
    ['/', 'find'],
    ['?', 'keys'],
  ],
  why: [
    ['q', 'back'],
    ['Enter', 'ask again'],
    ['j k', 'scroll'],
  ],
  log: [
    ['q', 'back'],
    ['j k', 'scroll'],
    ['g', 'start'],
    ['G', 'end, and follow'],
  ],
  keys: [['any key', 'back']],
};

/** As many keys as fit, the most important first. */
function keyLine(keys: [string, string][], columns: number, colors: Colors): string {
  let width = 0;
  const shown = keys.filter(([key, what]) => {
    width += key.length + what.length + 3;
    return width - 2 <= columns;
  });
  return shown.map(([key, what]) => `${colors.bold(key)} ${colors.dim(what)}`).join('  ');
}

const questions = {
  stop: 'Stop LABEL (ID) and everything it started?',
  again: 'Start LABEL (ID) again?',
};

/** The last line: a question, what is typed, what came of an act, or keys. */
export function footerOf(top: Top, labelOf: (id: string) => string, columns: number, colors: Colors): string {
  const { mode, message } = top;
  if (mode.kind === 'confirm') {
    const text = questions[mode.what]
      .replace('ID', shortId(mode.id))
      .replace('LABEL', () => labelOf(mode.id));
    return `${colors.bold(cutToWidth(text, columns - 6))} [y/N]`;
  }
  if (mode.kind === 'find' || mode.kind === 'answer') {
    const name = mode.kind === 'find' ? '' : cutToWidth(labelOf(mode.id), Math.floor(columns / 4));
    const lead = mode.kind === 'find' ? 'find: ' : columns < 30 ? 'answer: ' : `answer for ${name}: `;
    const isSecret = mode.kind === 'answer' && mode.isSecret;
    const text = isSecret ? '*'.repeat(mode.text.length) : printable(mode.text);
    return `${colors.bold(lead)}${endOf(text, columns - displayWidth(lead) - 1)}_`;
  }
  if (message !== '') return colors.bold(cutToWidth(printable(message), columns));
  return keyLine(keyLists[mode.kind], columns, colors);
}

/** The last characters that fit. */
function endOf(text: string, columns: number): string {
  let end = [...text].slice(-columns);
  while (displayWidth(end.join('')) > columns) end = end.slice(1);
  return end.join('');
}
