import os from 'node:os';
import type { ProcessIdentity } from '../../../model/facts/identity.js';
import { ticksPerSecond } from '../../../model/facts/sample.js';

const uptimeAgeMsMax = 10;
let uptime = { atMs: Number.NEGATIVE_INFINITY, ms: 0 };

/**
 * Time since the machine started: the same for all processes, and no program can set it. The value is cached for a
 * moment: a list needs it for every run, and the kernel call takes longer than all the rest.
 */
export function uptimeMs(): number {
  const atMs = performance.now();
  if (atMs - uptime.atMs > uptimeAgeMsMax) uptime = { atMs, ms: os.uptime() * 1000 };
  return uptime.ms;
}

/** Time since a process of this boot started, by a clock that no program can set. */
export function ageMs({ startTicks }: ProcessIdentity): number {
  return Math.max(0, uptimeMs() - (startTicks / ticksPerSecond) * 1000);
}
