/** Built-in events that can be requested. */
export const noticeEvents = ['exit', 'needs-input', 'stuck', 'stalled'] as const;

export type NoticeEvent = (typeof noticeEvents)[number];

export interface Webhook {
  url: string;
  /** Absolute path of a file with the shared secret; null: requests are not signed. */
  secretFile: string | null;
}

/** Requested notices of a run; kept in run.json. */
export interface NoticeWishes {
  events: NoticeEvent[];
  /** Texts, or /regular expressions/ with flags. */
  patterns: string[];
  /** Interval of progress notices in milliseconds; 0: none. */
  everyMs: number;
  /** A shell command that gets each notice as JSON on its stdin; null: none. */
  command: string | null;
  webhook: Webhook | null;
}
