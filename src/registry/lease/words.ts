import type { Lease } from '../../model/run/lease.js';
import { formatDuration } from '../../text/duration.js';

/** Shown beside the health of a run. */
export const ownerGone = 'its owner is gone';

/** The text of the notice. */
export function ownerGoneText({ owner, whenGone, delayMs }: Lease): string {
  const gone = `${ownerGone} (pid ${owner.pid})`;
  return whenGone === 'stop' ? `${gone}: it is stopped in ${formatDuration(delayMs)}` : `${gone}: it goes on`;
}

export function stoppedText({ owner }: Lease): string {
  return `${ownerGone} (pid ${owner.pid}): it is stopped now`;
}
