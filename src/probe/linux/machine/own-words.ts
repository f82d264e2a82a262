import { isUtf8 } from 'node:buffer';
import { readBytes } from '../proc/proc-file.js';

/** Whether Node could read its own argv: bytes that are not UTF-8 were replaced. */
export function areOwnWordsWhole(): boolean {
  const bytes = readBytes('/proc/self/cmdline');
  return !Buffer.isBuffer(bytes) || isUtf8(bytes);
}
