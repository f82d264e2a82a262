import { ForegroundRun } from '../run/foreground/foreground-run.js';
import type { AttemptPlan, RunRequest } from '../run/request.js';

export {
  argvIsUtf8,
  type FilePiece,
  isForeground,
  ownDirectory,
  ownsTerminal,
  sendFile,
  unreadBytes,
} from '../probe/machine.js';
export { openPipe } from '../run/launch/open-pipe.js';
export { openTerminal, type PseudoTerminal } from '../run/launch/pseudo-terminal.js';
export {
  copySize,
  foregroundGroupOf,
  isCooked,
  rawSettings,
  readSettings,
  signalOf,
  type TerminalSettings,
  writeSettings,
} from '../run/launch/terminal-settings.js';
export { githubError } from '../run/report/github-error.js';
export { endExplanation, flakyWords } from '../run/report/words.js';
export type { AttemptPlan, RunRequest };

/** A command that is being supervised. */
export type RunHandle = Pick<
  ForegroundRun,
  'id' | 'label' | 'done' | 'interrupt' | 'pass' | 'pause' | 'pulse'
>;

/** Starts a command. Throws a Failure when it cannot be executed. */
export function startRun(request: RunRequest): RunHandle {
  return new ForegroundRun(request);
}
