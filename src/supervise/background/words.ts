import { formatDuration } from '../../model/duration.js';
import type { Diagnosis } from '../../model/health.js';
import type { OutputLost } from '../../model/output-lost.js';
import type { Exit } from '../../model/run.js';

/** How it ended, in a few words. */
export function exitWords(exit: Exit, lost: OutputLost | null): string {
  return lost === null ? endWords(exit) : `${endWords(exit)}; ${lost.message}`;
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
