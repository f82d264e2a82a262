import fs from 'node:fs';
import type { RunSettings } from '../config/run-settings.js';
import type { RunReport } from '../model/run/run.js';
import type { OpenRun } from './open-run.js';
import { logFooter } from './prepare.js';

/** Decides what stays on disk after the end. Returns the files that stay. */
export function keepRun(run: OpenRun, report: RunReport, keepLog: RunSettings['keepLog']): string[] {
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
