/** Built-in events that a run can be asked to tell. */
export const noticeEvents = ['exit', 'needs-input', 'stuck', 'stalled'] as const;

export type NoticeEvent = (typeof noticeEvents)[number];

export interface Webhook {
  url: string;
  /** Absolute path of a file with the shared secret; null: what is sent is not signed. */
  secretFile: string | null;
}

/** What a run tells; kept in run.json. */
export interface NoticeWishes {
  events: NoticeEvent[];
  /** E2: texts, or /regular expressions/ with flags. */
  patterns: string[];
  /** E8, in milliseconds; 0: none. */
  everyMs: number;
  /** A line for sh that gets each notice as JSON on its stdin; null: none. */
  command: string | null;
  webhook: Webhook | null;
}
