import { createHash } from 'node:crypto';
import { bootId, startTicks } from '../probe/processes.js';

/**
 * A short name that is the same for everything one process starts in one directory: a server that the same client
 * starts again continues where the killed one was.
 */
export function sessionName(): string {
  const parts = [bootId(), process.ppid, startTicks(process.ppid), process.cwd()];
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 8);
}
