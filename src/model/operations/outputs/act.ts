import type { FailureCode } from '../../failure.js';
import type { Receipt } from '../../run/receipt.js';
import type { Exit } from '../../run/run.js';
import type { SendableSignal } from '../../run/sendable-signals.js';
import type { RunAnswer, StartOutput } from './run.js';

/** How a kill ended. */
export interface KilledRun {
  id: string;
  label: string;
  /** already-exited: nothing was left to stop. */
  status: 'killed' | 'already-exited';
  /** Only of a run that has ended. */
  exit?: Exit;
  /** Which processes were signalled, and which are left; null: none was. */
  receipt: Receipt | null;
}

/** How a kill of one run ended. */
export interface KillOutput extends KilledRun, RunAnswer {}

/** How a stop of a part ended. */
export interface KillPartOutput extends RunAnswer {
  receipt: Receipt;
}

/** A run that replaces another one. */
export interface RestartOutput extends StartOutput, RunAnswer {
  /** The run that was stopped. */
  replaced: KilledRun;
}

/** A run with the request of another one. */
export interface RerunOutput extends StartOutput, RunAnswer {
  /** The run whose request it was. */
  of: string;
}

/** How several kills ended. */
export interface KillAllOutput {
  runs: KilledRun[];
  /** Runs that could not be stopped, and why. */
  errors: FailedKill[];
}

/** A run that could not be stopped, such as one on a host that does not answer. */
export interface FailedKill {
  id: string;
  code: FailureCode;
  message: string;
  hint: string;
}

/** Whether a run is paused. */
export interface PauseOutput extends RunAnswer {
  paused: boolean;
  /** false: it was so already. */
  changed: boolean;
}

/** A signal that was sent. */
export interface SignalOutput extends RunAnswer {
  signal: SendableSignal;
  /** The processes that got it. */
  pids: number[];
}

/** A run whose files are deleted. */
export interface RemoveOutput extends RunAnswer {
  removed: true;
  /** How its stop ended, with `force`; null: it had ended. */
  killed: KilledRun | null;
}

/** What became of bytes for the stdin of a run. */
export interface WriteOutput extends RunAnswer {
  /** Bytes taken: they reach the command in order and once, also when the daemon ends. */
  bytes: number;
  /** null: the command may not have read it yet. */
  delivered: true | null;
  /** Bytes kept for the command. */
  pending: number;
}

/** Whether stdin was closed. */
export interface CloseOutput extends RunAnswer {
  /** false: it was closed before. */
  closed: boolean;
}

/** The size of the terminal. */
export interface ResizeOutput extends RunAnswer {
  rows: number;
  columns: number;
}
