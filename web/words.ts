import type { ListedRun } from '../src/model/operations/outputs.js';
import { exitWords } from '../src/model/run/run.js';
import { visible } from '../src/text/visible.js';

/** How a run looks: a word, and the colour that goes with it. */
export type Tone = 'bad' | 'ask' | 'warn' | 'good' | 'calm';

export interface Look {
  word: string;
  tone: Tone;
  /** Smaller comes first. */
  rank: number;
}

export function lookOf(run: ListedRun): Look {
  const { status, health, needsInput, exit } = run;
  if (status === 'lost') return { word: 'lost', tone: 'warn', rank: 6 };
  if (status === 'exited') {
    const isFine = exit?.code === 0 && exit.stopped === undefined;
    return { word: isFine ? 'done' : exitWords(exit), tone: isFine ? 'calm' : 'warn', rank: isFine ? 7 : 6 };
  }
  if (run.unreachableSince !== undefined) return { word: 'unreachable', tone: 'warn', rank: 4 };
  if (run.paused) return { word: 'paused', tone: 'warn', rank: 4 };
  if (needsInput) return { word: 'needs an answer', tone: 'ask', rank: 1 };
  if (health === 'confirmed-stuck') return { word: 'stuck', tone: 'bad', rank: 0 };
  if (health === 'likely-stuck') return { word: 'likely stuck', tone: 'bad', rank: 2 };
  if (health === 'suspicious') return { word: 'suspicious', tone: 'warn', rank: 3 };
  return { word: 'running', tone: 'good', rank: 5 };
}

export const isTrouble = (run: ListedRun) => lookOf(run).rank <= 3;

/** Trouble first; what is alike, newest first. */
export function inOrder(list: Iterable<ListedRun>): ListedRun[] {
  return [...list]
    .map((run) => ({ run, rank: lookOf(run).rank, at: run.startedAt }))
    .sort((a, b) => a.rank - b.rank || (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .map(({ run }) => run);
}

/** `run_7c1e90b2d4f8` is `7c1e90b2`, `build1/run_7c1e90b2d4f8` is `build1/7c1e90b2`. */
export const shortId = (id: string) => id.replace(/run_([^/]{8})[^/]*$/, '$1');

/** Text of a program: what is not seen, or moves other text, is shown as an escape. */
export const shown = (text: string) => visible(text).replaceAll('\n', ' ');

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

export const timeOf = (at: number | string) => clock.format(new Date(at));
export const dayOf = (at: number | string) => day.format(new Date(at));

/** `00:06:12`, `2 d 03:00:00`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const text = `${two(Math.floor((seconds % 86_400) / 3600))}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return days > 0 ? `${days} d ${text}` : text;
}
