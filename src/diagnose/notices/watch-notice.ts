import type { NoticeDraft } from '../../model/notice.js';

/** A notice as the rules make it, without its run. The key is unique within the run, or among the notices of no run. */
export type WatchNotice = Omit<NoticeDraft, 'runId' | 'label' | 'task' | 'owner' | 'tags'>;
