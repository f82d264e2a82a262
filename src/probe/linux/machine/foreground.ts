import { readBytes } from '../proc/proc-file.js';
import { parseStat } from '../proc/stat.js';

/**
 * Whether this process is in the foreground of its own terminal, if it has one: a background job must not draw on it.
 */
export function isForeground(): boolean {
  const bytes = readBytes('/proc/self/stat');
  const stat = Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
  return stat === null || stat.terminal === 0 || stat.foregroundGroup === stat.group;
}
