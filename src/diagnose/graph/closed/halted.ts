import type { ThreadFacts } from '../../../model/facts/snapshot.js';

/**
 * A shorter stop or freeze may end by itself: cpulimit lets a process go ten times a second, debuggers and job
 * schedulers in slices of up to half a minute.
 */
export const lastingHaltMs = 60_000;

/**
 * A thread is on a CPU for a moment when it is stopped or frozen, and never after that: its time off the CPU is the
 * time of the halt.
 */
export function haltLasts({ offCpuMs, moved }: ThreadFacts): boolean {
  return moved === false && offCpuMs !== null && offCpuMs >= lastingHaltMs;
}
