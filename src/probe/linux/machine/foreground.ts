import { readBytes } from '../proc/proc-file.js';
import { parseStat } from '../proc/stat.js';

/** Whether our own terminal, if we have one, listens to us: a background job is not to draw on it. */
export function isForeground(): boolean {
  const bytes = readBytes('/proc/self/stat');
  const stat = Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
  return stat === null || stat.terminal === 0 || stat.foregroundGroup === stat.group;
}
