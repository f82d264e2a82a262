import type { HealthTick, Thresholds } from '../../model/run/health.js';
import type { Seen } from './excuse.js';

/** A tree that only wakes up by a timer, for a moment each time. */
export interface Ticking {
  forMs: number;
  processes: number;
}

/** So many times the escalation threshold of nothing but ticks is worth a word. */
const escalations = 2;

/**
 * A timer that merely ticks does not show that anything will happen. Nor does it show the contrary: a thread that counts to
 * a thousand and then wakes the others looks the same. So this is reported and never an alarm.
 */
export function nextTicking(
  before: Ticking | null,
  { sample, printed }: HealthTick,
  seen: Seen | null,
  isBusy: boolean,
  countedMs: number,
): Ticking | null {
  const { cpuPercent, processes } = sample;
  if (printed || isBusy || seen?.verdict.kind !== 'timer') return null;
  const isSame = before !== null && before.processes === processes;
  // A process that sleeps until a distant time does not run at all.
  if (!isSame && cpuPercent === 0) return null;
  return { forMs: (isSame ? before.forMs : 0) + countedMs, processes };
}

export function isTicking(ticking: Ticking | null, { escalateMs }: Thresholds): ticking is Ticking {
  return ticking !== null && ticking.forMs >= escalations * escalateMs;
}
