import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Unknown } from '../model/facts/reading.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Exit } from '../model/run/run.js';

/** An exit code is never invented. */
export const unknownExit: Exit = { code: null, signal: null, provenance: 'unknown' };

/** The shim has not reported the command yet. */
export interface Starting {
  kind: 'starting';
}

export interface Command {
  /** null: there is no /proc, so nothing can be proven about the command. */
  leader: ProcessIdentity | null;
  /** null: the shim was killed, and nothing will record how the command ends; or it reports over its pipe. */
  shim: ProcessIdentity | null;
}

export interface Running extends Command {
  kind: 'running';
}

/** The end of the command is proven. `shim`: the shim still lives, so more output may come. */
export interface Exited extends Command {
  exit: Exit;
}

/** What the shim, the files of a run and the process table show at one moment. */
export type Standing =
  /** No shim has claimed the run, so a shim may still be started for it. */
  | { kind: 'unclaimed' }
  | Starting
  | Running
  | ({ kind: 'ended' } & Exited)
  /** A read failed, so the state is open. The run is neither reported as ended, nor removed, nor signalled. */
  | Unknown;

type Stopping = { kind: 'stopping'; of: Starting | Running };
/** The command has ended. Its last output and what it left behind are handled. */
type Leaving = { kind: 'leaving' } & Exited;
/** Final. */
export type Ended = { kind: 'ended'; atMs: number; outputLost: OutputLost | null } & Exited;

/** The life of a run, in the foreground and in the background. */
export type RunState =
  | Starting
  | Running
  /** The whole tree is being stopped. */
  | Stopping
  | Leaving
  | Ended
  /** It cannot be read what has become of it since `last`. */
  | (Unknown & { last: Starting | Running | Stopping | Leaving })
  /** This program has let go of the run, which lives on. Final here. */
  | ({ kind: 'detached' } & Command);

/** What may happen to a run. */
export type Change =
  | { kind: 'seen'; standing: Standing }
  | { kind: 'stop' }
  /** The tree could not be stopped. A later reason counts again. */
  | { kind: 'stop-failed' }
  /** The facts about the end cannot be read now. */
  | { kind: 'unread'; reason: string }
  /** Everything about the end is done. */
  | { kind: 'done'; atMs: number; outputLost: OutputLost | null }
  | { kind: 'detach' };

/** The next state. A change that does not fit the state changes nothing. */
export function nextState(state: RunState, change: Change): RunState {
  if (state.kind === 'ended' || state.kind === 'detached') return state;
  if (change.kind === 'detach') return { kind: 'detached', ...commandOf(state) };
  const known = state.kind === 'unknown' ? state.last : state;
  if (change.kind === 'seen') return afterSeen(state, known, change.standing);
  if (change.kind === 'unread') return { kind: 'unknown', reason: change.reason, last: known };
  if (known.kind === 'leaving') {
    if (change.kind !== 'done') return state;
    const { atMs, outputLost } = change;
    return { ...known, kind: 'ended', atMs, outputLost };
  }
  const next = afterOrder(known, change.kind);
  return state.kind === 'unknown' ? { ...state, last: next } : next;
}

function afterOrder(known: Starting | Running | Stopping, order: Change['kind']): typeof known {
  if (known.kind === 'stopping') return order === 'stop-failed' ? known.of : known;
  return order === 'stop' ? { kind: 'stopping', of: known } : known;
}

type Known = Exclude<RunState, { kind: 'unknown' | 'ended' | 'detached' }>;

/** A proven exit is not withdrawn, and a command that was seen is not starting again. */
function afterSeen(state: RunState, known: Known, standing: Standing): RunState {
  if (known.kind === 'leaving') return state;
  if (standing.kind === 'unknown') return { ...standing, last: known };
  if (standing.kind === 'ended') return { ...standing, kind: 'leaving' };
  if (standing.kind !== 'running') return known;
  return known.kind === 'stopping' ? { kind: 'stopping', of: standing } : standing;
}

/** The command and its shim; null: not known. */
export function commandOf(state: RunState): Command {
  if (state.kind === 'starting') return { leader: null, shim: null };
  if (state.kind === 'stopping') return commandOf(state.of);
  if (state.kind === 'unknown') return commandOf(state.last);
  const { leader, shim } = state;
  return { leader, shim };
}

/** The command has ended, or this program has let go of it: nothing is stopped and no health is reported any more. */
export function isOver(state: RunState): boolean {
  const { kind } = state.kind === 'unknown' ? state.last : state;
  return kind === 'leaving' || kind === 'ended' || kind === 'detached';
}

/** Whether the shim has yet to report the command. */
export function isStarting(state: RunState): boolean {
  const known = state.kind === 'unknown' ? state.last : state;
  return (known.kind === 'stopping' ? known.of : known).kind === 'starting';
}

/** While Unstuck scans and stops a tree, the tree's activity does not count. */
export function isStopping(state: RunState): boolean {
  return (state.kind === 'unknown' ? state.last : state).kind === 'stopping';
}
