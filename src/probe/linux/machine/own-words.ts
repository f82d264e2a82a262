import { isUtf8 } from 'node:buffer';
import { readBytes } from '../proc/proc-file.js';

/** Whether Node could read the words it was started with: what is no UTF-8 has become something else. */
export function areOwnWordsWhole(): boolean {
  const bytes = readBytes('/proc/self/cmdline');
  return !Buffer.isBuffer(bytes) || isUtf8(bytes);
}
