import type { Lease } from '../../model/run/lease.js';
import type { NoticeDesk } from '../../notices/notice-desk.js';
import { formatDuration } from '../../text/duration.js';
import type { BackgroundRunRecord } from '../start/launch-run.js';

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

/** Only runs that asked for notices get this one. Throws when it cannot be stored. */
export function reportOwnerGone(
  desk: NoticeDesk,
  { id, label, background }: BackgroundRunRecord,
  text: string,
) {
  const { task, owner, tags, notify } = background;
  if (notify === null) return;
  const notice = { key: 'owner-gone', kind: 'owner-gone', text, output: '', suppressed: 0 } as const;
  desk.report({ runId: id, label, task, owner, tags }, notice);
}
