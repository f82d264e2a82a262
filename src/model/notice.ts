import type { Health } from './run/health.js';
import type { OutputLost } from './run/output-lost.js';
import type { Exit } from './run/run.js';

export { type NoticeEvent, type NoticeWishes, noticeEvents, type Webhook } from './notice-wishes.js';

/** Kinds of notices. */
export const noticeKinds = [
  'exit',
  'match',
  'patterns-off',
  'needs-input',
  'stuck',
  'stalled',
  'owner-gone',
  'tool-stuck',
  'progress',
  'overflow',
  'overflow-over',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** A notice without its number. */
export interface NoticeDraft {
  /** Identifies the event, also when it is found again after a crash: it is recorded once. */
  key: string;
  kind: NoticeKind;
  /** null: about all runs (the breaker), or a tool of an agent. */
  runId: string | null;
  label: string | null;
  task: string | null;
  owner: string | null;
  tags: string[];
  /** One sentence for a user. */
  text: string;
  /** The lines that matched, or the last of the output: at most 20 lines and 2,000 characters. */
  output: string;
  /** Matches or notices that were held back before this one. */
  suppressed: number;
  /** match, patterns-off: lines that matched, of which `output` shows the first. */
  matches?: number;
  /** match: the pattern that was found first. */
  pattern?: string;
  /** match: bytes of output up to the end of the first matching line. A reader beyond it knows the match. */
  offset?: number;
  /** exit. */
  exit?: Exit;
  /** exit: output missing in the log; absent: no loss is known. */
  outputLost?: OutputLost;
  /** progress, needs-input, stuck. */
  health?: Health;
}

/** A notice with its number, on disk. */
export interface Notice extends NoticeDraft {
  /** 1, 2, 3 … over all runs, never reused. */
  seq: number;
  at: string;
}
