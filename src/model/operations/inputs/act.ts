import type { SendableSignal } from '../../run/sendable-signals.js';
import type { RunFilter, RunInput } from './select.js';

/** Which run to kill. */
export interface KillInput extends RunInput {
  /** Seconds between SIGTERM and SIGKILL; as the run was started if not given. */
  graceS?: number | undefined;
}

/** Which part of a run to stop. */
export interface KillPartInput extends RunInput {
  /** A process of the run, but not its command. */
  pid: number;
  /** Field 22 of /proc/PID/stat: proves that the pid was not reused meanwhile. */
  startTicks: number;
  /** Seconds between SIGTERM and SIGKILL; as the run was started if not given. */
  graceS?: number | undefined;
}

/** Which runs to kill. */
export interface KillAllInput extends RunFilter {
  /** Seconds between SIGTERM and SIGKILL; as each run was started if not given. */
  graceS?: number | undefined;
}

/** Which signal to send. */
export interface SignalInput extends RunInput {
  signal: SendableSignal;
}

/** Which ended run to forget. */
export interface RemoveInput extends RunInput {
  /** Stop it first when it has not ended. */
  force?: boolean | undefined;
}

/** Bytes for the stdin of a run. */
export interface WriteInput extends RunInput {
  /** What to write. */
  data: string;
  /** How `data` is written; `utf8` if not given. */
  encoding?: 'utf8' | 'base64' | undefined;
  /** Seconds to wait until the command reads it; 2 if not given. */
  timeoutS?: number | undefined;
}

/** A line for the stdin of a run. */
export interface SubmitInput extends RunInput {
  /** The line without its end; empty if not given. */
  data?: string | undefined;
  /** Seconds to wait until the command reads it; 2 if not given. */
  timeoutS?: number | undefined;
}

/** The new size of a terminal. */
export interface ResizeInput {
  /** The whole id, its first four characters or more (`run_` may be left out), or the label. */
  id: string;
  rows: number;
  columns: number;
}
