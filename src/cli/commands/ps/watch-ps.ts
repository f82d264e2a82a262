import { setTimeout as delay } from 'node:timers/promises';
import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { canDraw } from '../../output/color.js';
import { cutToWidth } from '../../output/display-width.js';
import { printJson } from '../../output/print.js';

const everyMs = 2000;

/** The alternate screen without cursor and wrapping; the normal screen returns unchanged. */
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const leave = '\x1b[?7h\x1b[?25h\x1b[?1049l';

/** Every line overwrites the old one, so nothing flickers. */
export function frame(lines: readonly string[], rows: number): string {
  const shown =
    lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `and ${lines.length - rows + 1} more lines`];
  return `\x1b[H${shown.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`;
}

/** Keys that end it: q, Ctrl-C, Ctrl-D. */
const endKeys = new Set([0x71, 0x51, 0x03, 0x04]);

interface PsWatch {
  json: boolean;
  draw(output: OperationOutput<'list'>): string[];
}

/** Calls `stop` on a key or a signal; returns a function that restores everything. */
function listen(stop: () => void, redraw: () => void, onTerminal: boolean): () => void {
  const onScreen = onTerminal && canDraw(process.stdout);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  const press = (bytes: Buffer) => {
    if (bytes.some((byte) => endKeys.has(byte))) stop();
  };
  const keys = onTerminal && process.stdin.isTTY;
  if (keys) process.stdin.setRawMode(true).on('data', press);
  if (onScreen) {
    process.stdout.write(enter);
    process.stdout.on('resize', redraw);
  }
  return () => {
    for (const signal of signals) process.off(signal, stop);
    process.stdout.off('resize', redraw);
    if (keys) process.stdin.off('data', press).setRawMode(false).pause();
    if (onScreen) process.stdout.write(leave);
  };
}

/** Refreshes the table until a key or Ctrl-C; waits for a daemon that goes away. */
export async function watchPs(
  poll: (signal: AbortSignal) => Promise<OperationOutput<'list'>>,
  { json, draw }: PsWatch,
): Promise<void> {
  const ended = new AbortController();
  let last: OperationOutput<'list'> | null = null;
  let trouble = '';
  const show = () => {
    const lines = last === null ? [] : draw(last);
    if (trouble !== '') lines.push('', cutToWidth(trouble, process.stdout.columns || 80));
    const screen = canDraw(process.stdout)
      ? frame(lines, process.stdout.rows || 24)
      : `${lines.join('\n')}\n\n`;
    process.stdout.write(screen);
  };
  const restore = listen(() => ended.abort(), json ? () => {} : show, !json);
  try {
    while (!ended.signal.aborted) {
      try {
        last = await poll(ended.signal);
        trouble = '';
        if (json) printJson(last);
      } catch (error) {
        if (ended.signal.aborted) break;
        if (!(error instanceof Failure) || error.code !== 'no-daemon') throw error;
        trouble = `${error.message}; trying again`;
      }
      if (!json) show();
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  } finally {
    restore();
  }
}
