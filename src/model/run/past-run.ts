import type { Exit, Outcome } from './run.js';

/** One line of the history of a command: a run that has ended. */
export interface PastRun {
  id: string;
  startedAt: string;
  durationMs: number;
  /** The longest time that is known to be without output; null: not known. */
  longestSilenceMs: number | null;
  /** Lines of output; null: not counted, because there were too many. */
  lines: number | null;
  outcome: Outcome;
  exit: Exit;
  /** Peaks over the samples of the run; 0: it was too short to be sampled. */
  cpuPercent: number;
  residentBytes: number;
  /** Phases in their order, as far as heartbeats named them. */
  phases: string[];
  /** By which share estimates from its progress were off; null: it reported none, or ended too soon. */
  etaError: number | null;
}

/** Which runs are compared with each other. */
export interface HistoryKey {
  /** File name of the history: a checksum of the rest. */
  id: string;
  /** The command with secrets masked and with numbers, checksums and temporary paths replaced, or the given key. */
  command: string;
  /** The repository, or the directory where there is none; null: the key was given. */
  project: string | null;
  /** The directory inside the project; empty: its top. */
  directory: string;
}
