import type { ListedRun, LogOutput } from '../../../model/operations/outputs.js';
import { asksForSecret } from '../../../model/run/match-run.js';

/** What fills the screen, or its last line, beside the table. Each names its run: the table may move below it. */
export type Mode =
  | { kind: 'table' }
  | { kind: 'keys' }
  | { kind: 'confirm'; what: 'stop' | 'again'; id: string; sinceMs: number }
  | { kind: 'find'; text: string }
  | { kind: 'answer'; id: string; text: string; isSecret: boolean }
  /** `lines` null: it is being asked. */
  | { kind: 'why'; id: string; lines: readonly string[] | null; top: number }
  /** `from` null: the end is followed. */
  | { kind: 'log'; id: string; page: LogOutput | null; from: number | null };

export interface Top {
  /** Id of a run; null: the first one. */
  chosen: string | null;
  find: string;
  /** What came of the last act. */
  message: string;
  mode: Mode;
}

export const freshTop: Top = { chosen: null, find: '', message: '', mode: { kind: 'table' } };

/** What a key asks for. */
export type Act =
  | { kind: 'quit' | 'suspend' | 'redraw' }
  | { kind: 'why' | 'stop' | 'again'; id: string }
  | { kind: 'log'; id: string; from: number | null }
  | { kind: 'answer'; id: string; text: string };

export interface Pressed {
  top: Top;
  act: Act | null;
}

export interface Around {
  /** As they are listed. */
  runs: readonly ListedRun[];
  /** Rows for a list or a text. */
  rows: number;
  nowMs: number;
  isPasted?: boolean;
}

/** A paste into a terminal that does not mark it must not confirm what it asked for. */
const confirmAfterMs = 200;
const textMax = 1000;

const to = (top: Top, mode: Mode, message = ''): Pressed => ({ top: { ...top, mode, message }, act: null });
const table: Mode = { kind: 'table' };

export const indexOf = (top: Top, runs: readonly ListedRun[]) =>
  Math.max(
    0,
    runs.findIndex(({ id }) => id === top.chosen),
  );

const everywhere: Record<string, Act> = {
  'ctrl-c': { kind: 'quit' },
  'ctrl-z': { kind: 'suspend' },
  'ctrl-l': { kind: 'redraw' },
};

/** One key. */
export function press(top: Top, key: string, around: Around): Pressed {
  const { mode } = top;
  const isTyping = mode.kind === 'find' || mode.kind === 'answer';
  const act = everywhere[key];
  if (act !== undefined) return { top, act };
  // A pasted line end does not send an answer.
  if (around.isPasted && (!isTyping || key === 'return')) return { top, act: null };
  switch (mode.kind) {
    case 'table':
      return inTable(top, key, around);
    case 'confirm':
      return inConfirm(top, mode, key, around);
    case 'find':
    case 'answer':
      return inTyping(top, mode, key);
    case 'why':
      return inWhy(top, mode, key, around);
    case 'log':
      return inLog(top, mode, key, around);
    case 'keys':
      return to(top, table);
  }
}

/** Steps of the keys that move, in a list or text of this many rows. */
function stepOf(key: string, rows: number): number {
  const page = Math.max(1, rows - 1);
  const steps: Record<string, number> = {
    ...{ up: -1, k: -1, down: 1, j: 1, home: Number.NEGATIVE_INFINITY, g: Number.NEGATIVE_INFINITY },
    ...{
      end: Number.POSITIVE_INFINITY,
      G: Number.POSITIVE_INFINITY,
      ' ': page,
      pagedown: page,
      pageup: -page,
    },
  };
  return steps[key] ?? 0;
}

const within = (value: number, max: number) => Math.max(0, Math.min(max, value));

function inTable(top: Top, key: string, { runs, rows, nowMs }: Around): Pressed {
  const at = indexOf(top, runs);
  const step = stepOf(key, rows);
  if (step !== 0) {
    const chosen = runs[within(at + step, runs.length - 1)]?.id ?? null;
    return { top: { ...top, chosen, message: '' }, act: null };
  }
  if (key === 'q' || key === 'ctrl-d') return { top, act: { kind: 'quit' } };
  if (key === '?' || key === 'h') return to(top, { kind: 'keys' });
  if (key === '/') return to(top, { kind: 'find', text: top.find });
  if (key === 'escape') return { top: { ...top, find: '', message: '' }, act: null };
  const run = runs[at];
  return run === undefined ? { top, act: null } : onRun({ ...top, chosen: run.id }, key, run, nowMs);
}

function onRun(top: Top, key: string, run: ListedRun, nowMs: number): Pressed {
  const { id } = run;
  if (key === 'return' || key === 'w') {
    if (run.status !== 'running') return to(top, table, `${run.label} has ended: l shows its output`);
    const mode: Mode = { kind: 'why', id, lines: null, top: 0 };
    return { top: { ...top, mode, message: '' }, act: { kind: 'why', id } };
  }
  if (key === 'l') {
    const mode: Mode = { kind: 'log', id, page: null, from: null };
    return { top: { ...top, mode, message: '' }, act: { kind: 'log', id, from: null } };
  }
  if (key === 'x') {
    if (run.status !== 'running') return to(top, table, `${run.label} has ended already`);
    return to(top, { kind: 'confirm', what: 'stop', id, sinceMs: nowMs });
  }
  if (key === 'r') return to(top, { kind: 'confirm', what: 'again', id, sinceMs: nowMs });
  if (key === 'a') {
    if (run.status !== 'running') return to(top, table, `${run.label} has ended`);
    if (run.input === 'none')
      return to(top, table, `${run.label} takes no input: it was started without --stdin or --pty`);
    const isSecret = asksForSecret(`${run.lastLine} ${run.why}`);
    return to(top, { kind: 'answer', id, text: '', isSecret });
  }
  return { top, act: null };
}

function inConfirm(
  top: Top,
  { what, id, sinceMs }: Mode & { kind: 'confirm' },
  key: string,
  { nowMs }: Around,
): Pressed {
  if (key !== 'y' && key !== 'Y') return to(top, table, 'nothing was done');
  if (nowMs - sinceMs < confirmAfterMs) return { top, act: null };
  const message = what === 'stop' ? 'stopping ...' : 'starting ...';
  return { top: { ...top, mode: table, message }, act: { kind: what, id } };
}

function inTyping(top: Top, mode: Mode & { kind: 'find' | 'answer' }, key: string): Pressed {
  const typed = (text: string) => {
    const next = { ...top, mode: { ...mode, text: text.slice(0, textMax) } };
    // The table shows what fits while it is typed.
    return { top: mode.kind === 'find' ? { ...next, find: next.mode.text } : next, act: null };
  };
  if (key === 'escape') return to(mode.kind === 'find' ? { ...top, find: '' } : top, table);
  if (key === 'backspace') return typed([...mode.text].slice(0, -1).join(''));
  if (key === 'ctrl-u') return typed('');
  if (key !== 'return') return [...key].length === 1 ? typed(mode.text + key) : { top, act: null };
  if (mode.kind === 'find') return to(top, table);
  const { id, text } = mode;
  return { top: { ...top, mode: table, message: 'sending ...' }, act: { kind: 'answer', id, text } };
}

const isBack = (key: string) => ['q', 'escape', 'left', 'u'].includes(key);

function inWhy(top: Top, mode: Mode & { kind: 'why' }, key: string, { rows }: Around): Pressed {
  if (isBack(key)) return to(top, table);
  if (key === 'return' || key === 'w') return { top, act: { kind: 'why', id: mode.id } };
  const last = Math.max(0, (mode.lines?.length ?? 0) - rows);
  return to(top, { ...mode, top: within(mode.top + stepOf(key, rows), last) });
}

function inLog(top: Top, mode: Mode & { kind: 'log' }, key: string, { rows }: Around): Pressed {
  if (isBack(key)) return to(top, table);
  const step = stepOf(key, rows);
  if (step === 0 || mode.page === null) return { top, act: null };
  const { offset, totalLines, droppedLines } = mode.page;
  const next = Math.max(droppedLines, (mode.from ?? offset) + step);
  const from = next + rows >= totalLines ? null : next;
  return { top: { ...top, mode: { ...mode, from } }, act: { kind: 'log', id: mode.id, from } };
}
