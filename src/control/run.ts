import path from 'node:path';
import { Failure } from '../model/failure.js';
import type { Heartbeat, RunReport } from '../model/run/run.js';
import { keepRun } from '../run/keep-run.js';
import { notStartedReport } from '../run/not-started.js';
import type { RunRequest } from '../run/request.js';
import { Supervisor } from '../run/supervisor.js';
import { pruneRuns } from '../store/prune-runs.js';

export {
  areOwnWordsWhole,
  type FilePiece,
  isForeground,
  ownDirectory,
  ownsTerminal,
  sendFile,
  unreadBytes,
} from '../probe/machine.js';
export { openPipe } from '../run/launch/open-pipe.js';
export { openTerminal, type PseudoTerminal } from '../run/launch/pseudo-terminal.js';
export { githubError } from '../run/report/github-error.js';
export type { RunRequest };

/** A command that is being supervised. */
export interface RunHandle {
  readonly id: string;
  readonly label: string;
  readonly done: Promise<RunReport>;
  /**
   * Passes a signal to the tree. `insists`: a second such call does not wait for the command any more, but kills the
   * tree, and returns true.
   */
  interrupt(signal: NodeJS.Signals, insists: boolean): boolean;
  /** Passes on a signal that is not meant to end the run. */
  pass(signal: NodeJS.Signals): Promise<void>;
  /** Stops the tree, as Ctrl-Z does; SIGCONT lets it go on. */
  pause(): Promise<void>;
  /** The current state. */
  pulse(): Heartbeat;
}

async function finish(supervisor: Supervisor, request: RunRequest): Promise<RunReport> {
  const report = await supervisor.done;
  const { run } = supervisor;
  report.files.unshift(...keepRun(run, report, request.settings.keepLog));
  if (run.directory?.exists) keepReport(supervisor, report);
  await writeWanted(report, request, (message) => run.journal.warn(message));
  const { outcome, exit, exitCode, elapsedMs } = report;
  run.journal.report({ kind: 'exited', outcome, exit, exitCode, elapsedMs });
  if (run.directory?.exists) pruneRuns(path.dirname(run.directory.path));
  return report;
}

/** Writes the report into the run directory. */
function keepReport({ run }: Supervisor, report: RunReport): void {
  try {
    run.directory?.writeReport(report);
  } catch (error) {
    run.journal.warn(`cannot save the report: ${(error as Error).message}`);
  }
}

/** Writes the reports that were requested. */
async function writeWanted(
  report: RunReport,
  { settings, env }: Pick<RunRequest, 'settings' | 'env'>,
  warn: (message: string) => void,
): Promise<void> {
  const targets = {
    json: settings.report ?? undefined,
    junit: settings.junit ?? undefined,
    markdown: settings.markdown ?? undefined,
    githubSummary: env.GITHUB_STEP_SUMMARY || undefined,
  };
  if (Object.values(targets).every((target) => target === undefined)) return;
  const { writeReports } = await import('../run/report/write-reports.js');
  for (const warning of writeReports(report, targets)) warn(warning);
}

/** Written at a signal, because this process may be killed before the command has ended. */
function reportInterim(supervisor: Supervisor, { settings }: RunRequest): void {
  const report = supervisor.interimReport();
  keepReport(supervisor, report);
  void writeWanted(report, { settings, env: {} }, () => {});
}

/** A command that could not be started gets a report too. */
function open(request: RunRequest): Supervisor {
  try {
    return new Supervisor(request);
  } catch (error) {
    if (error instanceof Failure) void writeWanted(notStartedReport(request, error), request, () => {});
    throw error;
  }
}

/** Starts a command. Throws a Failure when it cannot be executed. */
export function startRun(request: RunRequest): RunHandle {
  const supervisor = open(request);
  const done = finish(supervisor, request);
  return {
    id: supervisor.run.id,
    label: supervisor.run.label,
    done,
    interrupt(signal, insists) {
      const isKilled = supervisor.interrupt(signal, insists);
      reportInterim(supervisor, request);
      return isKilled;
    },
    pass: (signal) => supervisor.pass(signal),
    pause: () => supervisor.pause(),
    pulse: () => supervisor.pulse(),
  };
}
