import type { NoticeWishes } from '../notice-wishes.js';
import type { Lease } from './lease.js';
import type { RestartRecord } from './restart-record.js';

/** Status of a run; `lost`: it is gone and its end is not known. */
export const runStatuses = ['running', 'exited', 'lost'] as const;

export type RunStatus = (typeof runStatuses)[number];

/** Stdin of a command: nothing, what is written to it, or a terminal of its own. */
export const inputKinds = ['none', 'pipe', 'pty'] as const;

export type InputKind = (typeof inputKinds)[number];

/** Default size of a terminal. */
export const terminalSize = { rows: 30, columns: 120 } as const;

/** Events that end a `wait` before its timeout. */
export const wakeUps = ['exit', 'needs-input', 'stuck', 'match', 'port', 'quiet'] as const;

export type WakeUp = (typeof wakeUps)[number];

/** Where a run is, when it is not on this machine. */
export interface PlaceRecord {
  /** As it is typed: `ssh:HOST`. */
  place: string;
  /** Variables of the caller that the client of the place needs. */
  env: Record<string, string>;
}

/** Part of run.json for a background run: what a daemon that adopts it needs. */
export interface BackgroundRecord {
  owner: string | null;
  task: string | null;
  tags: string[];
  input: InputKind;
  /** Given options of the run by key: its limits apply under the next daemon too. */
  options: Record<string, unknown>;
  /** null: no notices. */
  notify: NoticeWishes | null;
  /** null: not tied to a process. */
  lease: Lease | null;
  /** Absent: it runs on this machine. */
  on?: PlaceRecord | undefined;
  /** Absent: it is not started again when it ends. */
  restart?: RestartRecord | undefined;
}

/** The longest one request may wait; a longer wait is several requests. */
export const waitMsMax = 180_000;
