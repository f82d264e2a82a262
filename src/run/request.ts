import type { RunSettings } from '../config/run-settings.js';
import type { Inherited } from '../model/run/inherited.js';
import type {
  FailedAttempt,
  ProjectLimits,
  RetryEvent,
  RunEvent,
  RunReport,
  Stream,
} from '../model/run/run.js';
import type { PlaceSession } from '../places/session.js';
import type { FilePiece } from '../probe/machine.js';
import type { PseudoTerminal } from './launch/pseudo-terminal.js';

/** One of several attempts of a command. */
export interface AttemptPlan {
  /** Those before this one. */
  failed: readonly FailedAttempt[];
  /** Called at the end, with the path of the stored report. null: no other attempt follows. */
  goesOn(report: RunReport, file: string | null): RetryEvent | null;
}

/** A command of a foreground run that was started in another place. */
export interface RunThere {
  id: string;
  session: PlaceSession;
}

/** A request for a run in the foreground. */
export interface RunRequest {
  command: readonly string[];
  /** The command has been started in another place; absent: it runs on this machine. */
  there?: RunThere | undefined;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Soft limit of open files of the command. Default: the limit of this process. */
  openFiles?: number | undefined;
  /** What the command gets from our caller. Default: what Node passes on. */
  inherited?: Inherited | undefined;
  settings: RunSettings;
  /** Reported at the start; null: none. */
  projectLimits: ProjectLimits | null;
  /** 1: stdout and stderr go to the same place, and their order matters. */
  streams: 1 | 2;
  /** A descriptor for the command to read; null: /dev/null. */
  stdin: number | null;
  /** Used instead of pipes; null: none. The two streams are then one. */
  terminal: PseudoTerminal | null;
  /** Called when the user of the terminal has stopped the command with Ctrl-Z. It goes on when the promise resolves. */
  suspended?: (() => Promise<void>) | undefined;
  /** Whether a question of the command can be answered. */
  canAnswer: boolean;
  /** Default: it is run once. */
  attempt?: AttemptPlan | undefined;
  /** Gets every byte in order; the buffer is used again when the promise resolves. */
  output(stream: Stream, chunk: Buffer): Promise<void>;
  /**
   * The same for bytes of the log that need not be read here. Returns how many were taken; 0: pass them to `output`.
   */
  outputFrom?(stream: Stream, piece: FilePiece): Promise<number>;
  listen(event: RunEvent): void;
}
