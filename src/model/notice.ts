import type { Health } from './health.js';
import type { OutputLost } from './output-lost.js';
import type { Exit } from './run.js';

export { type NoticeEvent, type NoticeWishes, noticeEvents, type Webhook } from './notice-wishes.js';

/** E1 to E8: what somebody is told without asking. */
export const noticeKinds = [
  'exit',
  'match',
  'patterns-off',
  'needs-input',
  'stuck',
  'stalled',
  'owner-gone',
  'progress',
  'overflow',
  'overflow-over',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** One notice before it has its number. */
export interface NoticeDraft {
  /** What it is about, the same when it is found again after a crash: told once. */
  key: string;
  kind: NoticeKind;
  /** null: about all runs (the breaker). */
  runId: string | null;
  label: string | null;
  task: string | null;
  owner: string | null;
  tags: string[];
  /** One sentence for a person. */
  text: string;
  /** The lines that matched, or the last of the output: at most 20 lines and 2,000 characters. */
  output: string;
  /** Matches, or notices, that were not told before this one. */
  suppressed: number;
  /** match, patterns-off: lines that matched, of which `output` shows the first. */
  matches?: number;
  /** match: the pattern that was found first. */
  pattern?: string;
  /** match: bytes of output up to the end of the first line that matched. Whoever read that far knows it. */
  offset?: number;
  /** exit. */
  exit?: Exit;
  /** exit: printed, and not in the log; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
  /** progress, needs-input, stuck. */
  health?: Health;
}

/** E6: durable and numbered. */
export interface Notice extends NoticeDraft {
  /** 1, 2, 3 … over all runs, never given twice. */
  seq: number;
  at: string;
}
