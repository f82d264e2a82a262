import type { Diagnosis } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import { type Exit, endNotRecorded, exitWords, type Outcome, stopReasons } from '../model/run/run.js';
import { formatDuration } from '../text/duration.js';
import { printableName } from '../text/printable.js';

/** How the run ended, in a few words. */
export function endWords(exit: Exit, outcome: Outcome, lost: OutputLost | null): string {
  const end = exit.provenance === 'unknown' ? endNotRecorded : `ended: ${exitWords(exit)}`;
  const stopped = stopReasons[outcome];
  return [end, stopped, lost?.message].filter((part) => part !== undefined).join('; ');
}

/** Why a run is in its state, in a short sentence. */
export function whyWords(diagnosis: Diagnosis | null, elapsedMs: number, remark: string | null): string {
  const why = diagnosis?.reason ?? `started ${formatDuration(elapsedMs)} ago, not sampled yet`;
  return remark === null ? why : `${remark}; ${why}`;
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
