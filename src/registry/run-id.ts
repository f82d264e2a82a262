import { createHash } from 'node:crypto';
import fs from 'node:fs';

/**
 * The id of the run that a request starts, the same for a repeated request. A client may choose its request ids, and a
 * daemon with another state home may get the same request id. An id in an environment proves which run a process
 * belongs to, so the state home is part of the id. The directory `runs` must exist.
 */
export function runIdOf(runs: string, requestId: string): string {
  const { ino } = fs.statSync(runs);
  const digest = createHash('sha256')
    .update(`${fs.realpathSync(runs)}\0${ino}\0${requestId}`)
    .digest('hex');
  return `run_${digest.slice(0, 12)}`;
}
