import type { Receipt } from './run/receipt.js';

/** `confirmed`: proven to belong to a run; `suspected`: not proven. */
export const classifications = ['confirmed', 'suspected'] as const;

export type Classification = (typeof classifications)[number];

/** Kinds of evidence for the run of a process. The first two prove it; each of the others only suggests it. */
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

/** A process that outlived its run, or the supervisor of its run. */
export interface Orphan {
  pid: number;
  /** Together with the boot id and the pid, its identity. */
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
  /** One sentence: why it is an orphan, and the evidence. */
  reason: string;
  /** null: matched by a pattern only. */
  run: OrphanRun | null;
}

/** What one check of the watch found. */
export interface OrphanCheck {
  /** Orphans of any age. */
  orphans: Orphan[];
  /** Live runs of this state home: each may leave orphans. */
  liveRuns: number;
}

/** The result for one orphan that was to be stopped. */
export interface OrphanResult extends Orphan {
  result: 'killed' | 'would-kill' | 'skipped' | 'failed';
  /** Why it was skipped or has failed; null otherwise. */
  because: string | null;
}

/** The results, and what to do about the rest. */
export interface OrphanKill {
  results: OrphanResult[];
  killed: number;
  skipped: number;
  failed: number;
  /** Which processes were signalled; null: none. */
  receipt: Receipt | null;
  /** null: nothing more to do. */
  tip: string | null;
}

/** One line of the log, and one event of the library. */
export type OrphanEventKind = 'detected' | 'killed' | 'skipped' | 'failed';

/** Something that happened to an orphan. */
export interface OrphanEvent {
  kind: OrphanEventKind;
  at: string;
  orphan: Orphan;
  /** For skipped and failed. */
  because: string | null;
}

/** Counts of the background watch for orphans. */
export interface OrphanWatchStatistics {
  watching: boolean;
  /** null: not checked yet. */
  lastCheckAt: string | null;
  detected: number;
  killed: number;
}

/** Results of the background watch for orphans. */
export interface OrphanFindings {
  /** Orphans of the last check. */
  readonly found: readonly Orphan[];
  readonly statistics: OrphanWatchStatistics;
}

/** The watch is off. */
export const notLooking: OrphanFindings = {
  found: [],
  statistics: { watching: false, lastCheckAt: null, detected: 0, killed: 0 },
};
