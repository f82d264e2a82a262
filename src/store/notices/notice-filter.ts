import type { Notice } from '../../model/notice.js';

export interface NoticeFilter {
  runId?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
}

export function passes(notice: Notice, { runId, task, owner }: NoticeFilter): boolean {
  return (
    (runId === undefined || notice.runId === runId) &&
    (task === undefined || notice.task === task) &&
    (owner === undefined || notice.owner === owner)
  );
}
