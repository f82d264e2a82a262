import type { Receipt } from './receipt.js';

/** F2: `confirmed`: proven to be ours; `suspected`: not proven. */
export const classifications = ['confirmed', 'suspected'] as const;

export type Classification = (typeof classifications)[number];

/** The ways to know whose a process is. The first two prove it, each of the others only suggests it. */
export const orphanEvidence = [
  'recorded',
  'run-id',
  'descendant',
  'group',
  'session',
  'lineage',
  'pattern',
] as const;

export type OrphanEvidence = (typeof orphanEvidence)[number];

/** The run that an orphan came from, as far as it is still known. */
export interface OrphanRun {
  id: string;
  /** null: its directory is gone. */
  label: string | null;
  /** Secrets masked. */
  command: string | null;
  cwd: string | null;
  owner: string | null;
  startedAt: string | null;
}

/** A process that outlived the run that started it, or whoever looked after that run: F3. */
export interface Orphan {
  pid: number;
  /** With the boot of this machine, its identity. */
  startTicks: number;
  /** Secrets masked. */
  command: string;
  cwd: string | null;
  ageMs: number;
  /** null: not readable. */
  residentBytes: number | null;
  /** TCP ports it listens on. */
  ports: number[];
  classification: Classification;
  evidence: OrphanEvidence[];
  /** One sentence: why it is one, and why it is ours or may be. */
  reason: string;
  /** null: it only looks like one of ours. */
  run: OrphanRun | null;
}

/** What one check of the watch found. */
export interface OrphanCheck {
  /** Of any age. */
  orphans: Orphan[];
  /** Runs of this state home that go on: each may leave orphans. */
  liveRuns: number;
}

/** What became of one orphan that was to be stopped. */
export interface OrphanResult extends Orphan {
  result: 'killed' | 'would-kill' | 'skipped' | 'failed';
  /** Why it was skipped or has failed; null otherwise. */
  because: string | null;
}

/** F3: what was done, and what helps with the rest. */
export interface OrphanKill {
  results: OrphanResult[];
  killed: number;
  skipped: number;
  failed: number;
  /** Who was signalled; null: nobody. */
  receipt: Receipt | null;
  /** null: nothing is left that something would help with. */
  tip: string | null;
}

/** F6: one line of the log, and one event of the library. */
export type OrphanEventKind = 'detected' | 'killed' | 'skipped' | 'failed';

export interface OrphanEvent {
  kind: OrphanEventKind;
  at: string;
  orphan: Orphan;
  /** For skipped and failed. */
  because: string | null;
}

/** F5. */
export interface OrphanWatchStatistics {
  watching: boolean;
  /** null: not yet. */
  lastCheckAt: string | null;
  detected: number;
  killed: number;
}
