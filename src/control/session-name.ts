import { createHash } from 'node:crypto';
import { bootId, startTicks } from '../probe/linux/identify.js';

/**
 * A few characters that are the same for everything one process starts in one directory: whoever is started again
 * by the same client goes on where the last one was killed.
 */
export function sessionName(): string {
  const parts = [bootId(), process.ppid, startTicks(process.ppid), process.cwd()];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 8);
}
