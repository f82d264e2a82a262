import type { NoticeDesk } from '../../notices/notice-desk.js';
import type { BackgroundRunRecord } from '../start/launch-run.js';

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
