import { readBytes } from '../proc/proc-file.js';
import { parseStat } from '../proc/stat.js';

/**
 * Whether this process is in the foreground of its own terminal, if it has one: a background job must not draw on it.
 */
export function isForeground(): boolean {
  const stat = ownStat();
  return stat === null || stat.terminal === 0 || stat.foregroundGroup === stat.group;
}

/** Whether the keys of a terminal reach this process: Ctrl-C there is a person's. */
export function ownsTerminal(): boolean {
  const stat = ownStat();
  return stat !== null && stat.terminal !== 0 && stat.foregroundGroup === stat.group;
}

function ownStat(): ReturnType<typeof parseStat> {
  const bytes = readBytes('/proc/self/stat');
  return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
}
