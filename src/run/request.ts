import type { RunSettings } from '../config/run-settings.js';
import type { ProjectLimits, RunEvent, Stream } from '../model/run/run.js';
import type { FilePiece } from '../probe/machine.js';
import type { PseudoTerminal } from './launch/pseudo-terminal.js';

/** What a run is asked to do, by whatever face. */
export interface RunRequest {
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Soft limit of open files of the command; without it ours. */
  openFiles?: number | undefined;
  settings: RunSettings;
  /** Reported at the start; null: none. */
  projectLimits: ProjectLimits | null;
  /** 1: stdout and stderr go to the same place, and their order counts. */
  streams: 1 | 2;
  /** A descriptor for the command to read; null: /dev/null. */
  stdin: number | null;
  /** Instead of pipes; null: none. The streams are then one. */
  terminal: PseudoTerminal | null;
  /** Whether somebody could answer a question of the command. */
  canAnswer: boolean;
  /** Gets every byte in order; the buffer is used again when the promise resolves. */
  output(stream: Stream, chunk: Buffer): Promise<void>;
  /** The same for bytes of its log that nobody here has to see; how many were taken, 0: give them to `output`. */
  outputFrom?(stream: Stream, piece: FilePiece): Promise<number>;
  listen(event: RunEvent): void;
}
