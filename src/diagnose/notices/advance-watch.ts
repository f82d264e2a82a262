import type { Health } from '../../model/run/health.js';
import type { OutputLost } from '../../model/run/output-lost.js';
import type { Exit } from '../../model/run/run.js';
import { lastLinesOf, lastOf, type WatchLimits } from './limits.js';
import { closeWindow, type Matches, reportMatches, type Step, takeMatches } from './match-window.js';
import { advanceClock } from './saved.js';
import { nothingHeld, type Trouble, troubles, type WatchState } from './watch-state.js';
import { exitText, patternLostText, progressText, troubleText } from './words.js';

/** An event of one run. `atMs` is wall clock time. */
export type WatchEvent = { atMs: number } & (
  | { kind: 'tick' }
  /** Output was searched: all lines that end before `searchedTo`, and those that matched. */
  | ({ kind: 'matches'; searchedTo: number } & Matches)
  /** A pattern takes too long on this output, and is no longer matched. */
  | { kind: 'pattern-lost'; reason: string }
  /** The present health: a trouble that is missing is over. */
  | { kind: 'health'; health: Health; troubles: { trouble: Trouble; reason: string }[]; output: string }
  /** Reported when it is due (`wakeInMs`); `lines`: how many there have been, `output`: the last of them. */
  | { kind: 'progress'; health: Health; elapsedMs: number; lines: number; output: string }
  | { kind: 'exit'; exit: Exit; output: string; outputLost: OutputLost | null }
);

type EventOf<Kind extends WatchEvent['kind']> = Extract<WatchEvent, { kind: Kind }>;

/**
 * Takes in one event. Pure: the same state and event always give the same notices, with the same keys. After a tick
 * without a notice nothing is lost if the state is not saved.
 */
export function advanceWatch(state: WatchState, event: WatchEvent, limits: WatchLimits): Step {
  if (state.ended) return { state, notices: [] };
  const now = { ...state, clock: advanceClock(state.clock, event.atMs) };
  switch (event.kind) {
    case 'tick':
      return closeWindow(now, limits);
    case 'matches': {
      const step = takeMatches(now, event, limits);
      const searchedTo = Math.max(now.searchedTo, event.searchedTo);
      return { ...step, state: { ...step.state, searchedTo } };
    }
    case 'pattern-lost':
      return afterwards(closeWindow(now, limits), (settled) => losePattern(settled, event));
    case 'health':
      return afterwards(closeWindow(now, limits), (settled) => takeHealth(settled, event, limits));
    case 'progress':
      return afterwards(closeWindow(now, limits), (settled) => takeProgress(settled, event, limits));
    case 'exit':
      return takeExit(now, event, limits);
  }
}

/** How long nothing happens by itself after this; null: nothing ever does. */
export function wakeInMs(state: WatchState, atMs: number, limits: WatchLimits): number | null {
  if (state.ended) return null;
  const { nowMs } = advanceClock(state.clock, atMs);
  const due: number[] = [];
  if (state.windowAtMs !== null && state.held.count > 0) due.push(state.windowAtMs + limits.windowMs);
  if (limits.everyMs > 0) due.push(state.progress.atMs + limits.everyMs);
  return due.length === 0 ? null : Math.max(0, Math.min(...due) - nowMs);
}

function afterwards(first: Step, next: (state: WatchState) => Step): Step {
  const { state, notices } = next(first.state);
  return { state, notices: [...first.notices, ...notices] };
}

/**
 * A client that waits for the pattern would wait for ever: it gets the end of the run instead. Once for each pattern,
 * as the key is the same.
 */
function losePattern(state: WatchState, { reason }: EventOf<'pattern-lost'>): Step {
  const text = patternLostText(reason);
  return {
    state: { ...state, patternLost: true },
    notices: [{ key: `pattern-lost:${reason}`, kind: 'patterns-off', text, output: '', suppressed: 0 }],
  };
}

/** Each trouble is reported once, however long it lasts. */
function takeHealth(state: WatchState, event: EventOf<'health'>, { events }: WatchLimits): Step {
  const step: Step = { state: { ...state, episodes: { ...state.episodes } }, notices: [] };
  for (const trouble of troubles) {
    const now = event.troubles.find((one) => one.trouble === trouble);
    const { count, open } = state.episodes[trouble];
    const isNew = now !== undefined && !open;
    const number = isNew ? count + 1 : count;
    step.state.episodes[trouble] = { count: number, open: now !== undefined };
    if (!isNew || !events.includes(trouble)) continue;
    step.notices.push({
      key: `${trouble}:${number}`,
      kind: trouble,
      text: troubleText(trouble, now.reason),
      output: lastLinesOf(event.output),
      suppressed: 0,
      health: event.health,
    });
  }
  return step;
}

/** A progress event that comes before its time is ignored. */
function takeProgress(state: WatchState, event: EventOf<'progress'>, { everyMs }: WatchLimits): Step {
  const { progress, clock } = state;
  if (everyMs <= 0 || clock.nowMs - progress.atMs < everyMs) return { state, notices: [] };
  // Numbered by elapsed time: no number repeats, even when a state was lost.
  const number = Math.max(progress.number + 1, Math.floor(event.elapsedMs / everyMs));
  const newLines = Math.max(0, event.lines - progress.lines);
  return {
    state: { ...state, progress: { number, atMs: clock.nowMs, lines: event.lines } },
    notices: [
      {
        key: `progress:${number}`,
        kind: 'progress',
        text: progressText(event.health, event.elapsedMs, newLines),
        output: newLines === 0 ? '' : lastLinesOf(event.output),
        suppressed: 0,
        health: event.health,
      },
    ],
  };
}

/** Nothing comes after the exit. Held matches are reported now or never. */
function takeExit(
  state: WatchState,
  { exit, output, outputLost }: EventOf<'exit'>,
  { events }: WatchLimits,
): Step {
  const { held, patternsOff, patternLost } = state;
  const ended: WatchState = { ...state, held: nothingHeld, windowAtMs: null, ended: true };
  if (events.includes('exit') || patternsOff || patternLost) {
    const notice = {
      key: 'exit',
      kind: 'exit',
      output: lastOf(output),
      exit,
      ...(outputLost !== null && { outputLost }),
    } as const;
    const suppressed = held.count;
    return {
      state: ended,
      notices: [{ ...notice, text: exitText(exit, suppressed, outputLost), suppressed }],
    };
  }
  return { state: ended, notices: held.count > 0 ? [reportMatches(state, held.count)] : [] };
}
