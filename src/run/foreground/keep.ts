import fs from 'node:fs';
import type { RunReport } from '../../model/run/run.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { keepReport } from '../end.js';
import { logFooter } from '../prepare.js';
import type { RunRequest } from '../request.js';
import type { OpenRun } from './open.js';

type Wishes = Pick<RunRequest, 'settings' | 'env' | 'attempt'>;

/** Decides what stays on disk after the end, and writes the reports. */
export async function keepRun(run: OpenRun, report: RunReport, request: Wishes): Promise<void> {
  report.files.unshift(...keepFiles(run, report, request.settings.keepLog));
  noteAttempts(report, request);
  if (run.directory?.exists) {
    keepReport(run, report);
    markInHistory(run.directory);
  }
  const file = run.directory?.exists ? run.directory.reportFile : null;
  // The summary of a job only grows, so it gets the last report alone.
  const env = (request.attempt?.goesOn(report, file) ?? null) === null ? request.env : {};
  await writeWanted(report, { ...request, env }, (message) => run.journal.warn(message));
}

function noteAttempts(report: RunReport, { attempt }: Wishes): void {
  if (attempt === undefined || attempt.failed.length === 0) return;
  report.attempts = [...attempt.failed];
  if (report.outcome === 'exited' && report.exitCode === 0) report.flaky = true;
}

/** Without the mark, the run is looked at again, and found in the history by its id. */
function markInHistory(directory: RunDirectory): void {
  try {
    directory.markInHistory();
  } catch {
    // A full disk.
  }
}

/** Returns the files that stay. */
function keepFiles(run: OpenRun, report: RunReport, keepLog: Wishes['settings']['keepLog']): string[] {
  const { directory, logs } = run;
  if (directory === null) return [];
  const failed = report.exitCode !== 0 || report.outcome !== 'exited' || report.leftBehind.length > 0;
  if (!failed && keepLog !== 'always') {
    directory.remove();
    return [];
  }
  const kept: string[] = [];
  for (const { file } of logs) {
    const path = directory.file(file);
    if (keepLog === 'never') fs.rmSync(path, { force: true });
    else kept.push(path);
    // A process that was left behind may still write to the log. Nothing may be appended after the end.
    if (keepLog === 'never' || report.leftBehind.length > 0) continue;
    const footer = logFooter(report.exit.code, report.elapsedMs, report.diagnosis?.health ?? 'healthy');
    try {
      fs.appendFileSync(path, footer);
    } catch (error) {
      run.journal.warn(`the log has no end: ${(error as Error).message}`);
    }
  }
  return kept;
}

/** Written at a signal, because this process may be killed before the command has ended. */
export function keepInterim(run: OpenRun, report: RunReport, { settings, attempt }: Wishes): void {
  noteAttempts(report, { settings, env: {}, attempt });
  keepReport(run, report);
  void writeWanted(report, { settings, env: {} }, () => {});
}

/** Writes the reports that were requested. */
export async function writeWanted(
  report: RunReport,
  { settings, env }: Wishes,
  warn: (message: string) => void,
): Promise<void> {
  const targets = {
    json: settings.report ?? undefined,
    junit: settings.junit ?? undefined,
    markdown: settings.markdown ?? undefined,
    githubSummary: env.GITHUB_STEP_SUMMARY || undefined,
  };
  if (Object.values(targets).every((target) => target === undefined)) return;
  const { writeReports } = await import('../report/write-reports.js');
  for (const warning of writeReports(report, targets)) warn(warning);
}
