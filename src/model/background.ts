import type { Lease } from './lease.js';
import type { NoticeWishes } from './notice-wishes.js';

/** Where a run stands; `lost`: it is gone, and nobody can say how it ended (D7). */
export const runStatuses = ['running', 'exited', 'lost'] as const;

export type RunStatus = (typeof runStatuses)[number];

/** What a command reads: nothing, what is written to it, or a terminal of its own (D5). */
export const inputKinds = ['none', 'pipe', 'pty'] as const;

export type InputKind = (typeof inputKinds)[number];

/** D5. */
export const terminalSize = { rows: 30, columns: 120 } as const;

/** What ends a `wait` before its time. */
export const wakeUps = ['exit', 'needs-input', 'stuck', 'match', 'port', 'quiet'] as const;

export type WakeUp = (typeof wakeUps)[number];

/** In run.json of a run in the background: what whoever adopts it must know. */
export interface BackgroundRecord {
  owner: string | null;
  task: string | null;
  tags: string[];
  input: InputKind;
  /** Options of the run as they were given, by key: its limits hold under the next daemon, too. */
  options: Record<string, unknown>;
  /** null: it tells nobody anything. */
  notify: NoticeWishes | null;
  /** null: it belongs to nobody whose end would matter to it. */
  lease: Lease | null;
}

/** The longest one request may wait; a longer wait is several requests. */
export const waitMsMax = 180_000;
