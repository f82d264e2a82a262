import type { ThreadFacts } from '../../../model/facts/snapshot.js';

/**
 * What is stopped or frozen for less may be let go again: cpulimit does so ten times a second, debuggers and
 * schedulers of jobs in slices of up to half a minute.
 */
export const lastingHaltMs = 60_000;

/** A thread is on a CPU for a moment when it is stopped or frozen, and then no more: since when shows how long. */
export function haltLasts({ offCpuMs, moved }: ThreadFacts): boolean {
  return moved === false && offCpuMs !== null && offCpuMs >= lastingHaltMs;
}
