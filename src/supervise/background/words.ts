import { formatDuration } from '../../model/duration.js';
import type { Diagnosis } from '../../model/health.js';
import type { Exit } from '../../model/run.js';

export const logLoss = 'not all of its output could be kept (was the disk full?)';

/** How it ended, in a few words. */
export function exitWords(exit: Exit, isLogWhole: boolean): string {
  return isLogWhole ? endWords(exit) : `${endWords(exit)}; ${logLoss}`;
}

function endWords({ code, signal, provenance }: Exit): string {
  if (provenance === 'unknown') return 'it is gone, and nobody saw how it ended';
  if (signal !== null) return `ended by ${signal}`;
  return code === 0 ? 'ended well' : `ended with exit code ${code}`;
}

/** Why a run is as it is, in one short sentence. */
export function whyWords(diagnosis: Diagnosis | null, elapsedMs: number, remark: string | null): string {
  const why = diagnosis?.reason ?? `started ${formatDuration(elapsedMs)} ago, not looked at yet`;
  return remark === null ? why : `${remark}; ${why}`;
}

/** Of a run whose directory or processes cannot be read; null: they can. */
export function unreadableWords(reason: string | null): string | null {
  return reason === null ? null : `cannot be read now: ${reason}`;
}
