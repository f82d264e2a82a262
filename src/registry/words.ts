import type { Diagnosis } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import { type Exit, endNotRecorded, exitWords, stoppedWords } from '../model/run/run.js';
import { formatDuration } from '../text/duration.js';
import { printableName } from '../text/printable.js';

/** How the run ended, in a few words. */
export function endWords(exit: Exit, lost: OutputLost | null, reason: string | null = null): string {
  const end =
    exit.provenance === 'unknown'
      ? `${reason === null ? endNotRecorded : `lost: ${reason}`}${stoppedWords(exit)}`
      : `ended: ${exitWords(exit)}`;
  return lost === null ? end : `${end}; ${lost.message}`;
}

/** What the words about a live run are made of. */
export interface KnownState {
  diagnosis: Diagnosis | null;
  /** The diagnosis is that of an earlier daemon. */
  isEarlier: boolean;
  /** It was started under another daemon. */
  isAdopted: boolean;
  /** Asked for only when it is part of the words. */
  elapsedMs(): number;
  remark: string | null;
}

/** Why a run is in its state, in a short sentence. */
export function whyWords({ diagnosis, isEarlier, isAdopted, elapsedMs, remark }: KnownState): string {
  const notYet = isAdopted ? 'not judged yet since the daemon was restarted' : 'not sampled yet';
  const why =
    diagnosis === null
      ? `started ${formatDuration(elapsedMs())} ago, ${notYet}`
      : `${diagnosis.reason}${isEarlier ? '; not judged again since the daemon was restarted' : ''}`;
  return remark === null ? why : `${remark}; ${why}`;
}

/** Of a run in another place, whose processes are not sampled. */
export function runsThereWords(place: string, elapsedMs: number, remark: string | null): string {
  const words = `started ${formatDuration(elapsedMs)} ago in ${place}`;
  return remark === null ? words : `${remark}; ${words}`;
}

/** Of a run that was paused on request. */
export function pausedWords(forMs: number, id: string): string {
  return `paused for ${formatDuration(forMs)}; to go on: unstuck resume ${id}`;
}

/** Which of several runs with the same label was taken. */
export function chosenWords(
  label: string,
  others: number,
  { id, status }: { id: string; status: string },
): string {
  const rest = others === 1 ? 'another run has' : `${others} other runs have`;
  return `${rest} the label ${printableName(label)} too; this is the newest${status === 'running' ? ' live' : ''} one, ${id}`;
}

/** For a run whose directory or processes cannot be read; null: they can be read. */
export function unreadableWords(reason: string | null): string | null {
  return reason === null ? null : `cannot be read now: ${reason}`;
}

/** For a run whose place cannot be asked. `sinceMs`: by the wall clock. */
export function unreachableWords(sinceMs: number, nowMs: number, reason: string): string {
  const at = new Date(sinceMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return `unreachable for ${formatDuration(Math.max(0, nowMs - sinceMs))}, since ${at}: ${reason}`;
}

/** Several runs that cannot be read, with the first reason; null: there are none. */
export function unreadRunsWords([reason, ...more]: readonly string[]): string | null {
  const runs = more.length === 0 ? '1 run' : `${more.length + 1} runs`;
  return reason === undefined ? null : `${runs} cannot be read now: ${reason}`;
}
