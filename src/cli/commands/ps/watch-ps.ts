import { setTimeout as delay } from 'node:timers/promises';
import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { cutToWidth } from '../../output/display-width.js';
import { fitRows, LiveScreen } from '../../output/live-screen.js';
import { printJson } from '../../output/print.js';
import { onInterrupt } from '../../shared/on-interrupt.js';

const everyMs = 2000;

const endKeys = new Set(['q', 'Q', 'ctrl-c', 'ctrl-d']);

interface PsWatch {
  json: boolean;
  draw(output: OperationOutput<'list'>): string[];
}

/** Refreshes the table until a key or Ctrl-C; waits for a daemon that goes away. */
export async function watchPs(
  poll: (signal: AbortSignal) => Promise<OperationOutput<'list'>>,
  { json, draw }: PsWatch,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  let last: OperationOutput<'list'> | null = null;
  let trouble = '';
  const pressed = (key: string) => endKeys.has(key) && end();
  const screen = json ? null : new LiveScreen({ pressed, resized: () => show(), ended: end });
  const show = () => {
    if (screen === null) return;
    const lines = last === null ? [] : draw(last);
    if (trouble !== '') lines.push('', cutToWidth(trouble, screen.columns));
    screen.draw(fitRows(lines, screen.rows));
  };
  const release = json ? onInterrupt(end) : () => {};
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
      show();
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  } finally {
    release();
    screen?.close();
  }
}
