import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessIdentity } from '../../../model/facts/identity.js';
import { readBytes, readText } from '../proc/proc-file.js';
import { parseStat } from '../proc/stat.js';

let boot = '';

/**
 * Empty: not readable yet; no identity is ever proven with it. Read once: it cannot change while this process lives.
 */
export function bootId(): string {
  if (boot !== '') return boot;
  const text = readText('/proc/sys/kernel/random/boot_id');
  if (!isAbsent(text)) boot = text.trim();
  return boot;
}

export function startTicks(pid: number): number | null {
  const bytes = readBytes(`/proc/${pid}/stat`);
  return Buffer.isBuffer(bytes) ? (parseStat(bytes)?.startTicks ?? null) : null;
}

/** null: there is no such process (any more). */
export function identify(pid: number): ProcessIdentity | null {
  const ticks = startTicks(pid);
  return ticks === null ? null : { bootId: bootId(), pid, startTicks: ticks };
}
