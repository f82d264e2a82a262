import type { RunSettings } from '../config/run-settings.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Exit, RunLog, RunReport } from '../model/run/run.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { Tree } from './health/tree.js';
import type { RunHistory } from './history/run-history.js';
import type { Journal } from './journal.js';
import type { WatchedOutput } from './output/clues.js';
import type { EndFacts, ReportSubject, RunAbout } from './report/compose.js';
import type { Command, Standing } from './state.js';
import type { KillOrders } from './stop/kill-order.js';
import type { OwnChild } from './stop/own-child.js';

/** What the shim reports about the command: over its pipe, or in the files of the run's directory. */
export interface ShimReports {
  /** Reports each standing until the end is proven. `stopped` resolves when the tree has been stopped. */
  follow(seen: (standing: Standing) => void, stopped: Promise<void>): void;
  /** The tree of a command that was seen running, or has ended; null: nothing can be read about it. */
  treeOf(command: Command): Tree | null;
  /** The command may have ended. */
  check?(): void;
  /** Resolves with true when all output of the command is in its log, with false after the given time. */
  drained(ms: number): Promise<boolean>;
  close(): void;
}

/** What samples a run: timers of its own, or the crowd of a daemon. */
export interface Pulse {
  /** null: not yet. */
  readonly monitor: ReportSubject['monitor'];
  /** false: provably no process of the run is left. */
  mayHaveLeft(): boolean;
  /** Nothing is reported after this. */
  stop(): Promise<void> | void;
}

/** What differs at the end of runs in the foreground and in the background. */
export interface EndManner {
  /** Whether other processes hold the output open. If none does, the shim is only slow. */
  isHeld(tree: Tree | null): Promise<boolean> | boolean;
  /** Takes in the last output. `isAll`: nothing more comes. */
  takeLast(isAll: boolean): Promise<void> | void;
  /** Throws when the facts cannot be read now. */
  endFacts(exit: Exit): Omit<EndFacts, 'exit' | 'leftBehind'>;
  /** Facts that cannot be read are tried again, for as long as it takes. */
  isPatient: boolean;
  /** An earlier process has handled the end and knew more about it. Throws when that cannot be read now. */
  isReported(): boolean;
  /** Output is passed on to a reader, until the end of the run. Otherwise the log goes on. */
  passesOn: boolean;
  /** Decides what stays on disk, and writes the reports. */
  keep(report: RunReport): Promise<void> | void;
}

/** Time for which a run was paused. It does not count towards its limits. */
export interface PausedTime {
  readonly isPaused: boolean;
  readonly totalMs: number;
  /** The last moment at which it was paused, by `performance.now()`. */
  readonly lastMs: number;
}

/** What a run is made of. */
export interface RunParts {
  about: RunAbout;
  settings: RunSettings;
  /** Whether a question of the command can be answered. */
  canAnswer: boolean;
  /** null: nothing could be stored. */
  directory: RunDirectory | null;
  logs: readonly RunLog[];
  history: RunHistory;
  journal: Journal;
  output: WatchedOutput;
  shim: ShimReports;
  /** Stores a stop before it begins, so that another process can finish it; null: a stop ends with this process. */
  orders: KillOrders | null;
  manner: EndManner;
  /** Absent: it cannot be paused. */
  pauses?: PausedTime;
  /** The command, where only its pid is known. */
  unseen?: Promise<OwnChild | null>;
  /** How long the command has run; null: not known before the command is. */
  ageMs(leader: ProcessIdentity | null): number | null;
  /** The state or the health may have changed. */
  changed?(): void;
}
