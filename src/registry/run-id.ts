import { createHash } from 'node:crypto';
import fs from 'node:fs';

/**
 * The id of the run that a request starts: the same for the same request made again. A client may choose its request ids,
 * and another state home may get the same one: as an id in an environment proves which run a process belongs to, the
 * state home is part of it. `runs` is there.
 */
export function runIdOf(runs: string, requestId: string): string {
  const { ino } = fs.statSync(runs);
  const digest = createHash('sha256')
    .update(`${fs.realpathSync(runs)}\0${ino}\0${requestId}`)
    .digest('hex');
  return `run_${digest.slice(0, 12)}`;
}
