import type { NoticeDraft } from '../../model/notice.js';

/** What the rules tell; whose run it is stands elsewhere. The key is unique within the run, or among those of no run. */
export type WatchNotice = Omit<NoticeDraft, 'runId' | 'label' | 'task' | 'owner' | 'tags'>;
