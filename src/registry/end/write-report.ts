import type { OutputLost } from '../../model/run/output-lost.js';
import type { Exit, RunRecord } from '../../model/run/run.js';
import { composeReport } from '../../run/final-report.js';
import type { Journal } from '../../run/journal.js';
import type { Ending } from '../../run/stop/ending.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { RunMonitor } from '../monitor/run-monitor.js';
import type { BackgroundLog } from '../output/background-log.js';

export interface StorySubject {
  run: {
    record: RunRecord;
    directory: RunDirectory;
    log: BackgroundLog;
    elapsedMs: number;
    endedMs: number;
    outputLost: OutputLost | null;
  };
  exit: Exit;
  ending: Ending;
  watch: RunMonitor;
  journal: Journal;
}

/** Writes the report of an ended run, unless there is one already: this daemon would know less. */
export function writeReport({ run, exit, ending, watch, journal }: StorySubject): void {
  const { directory, elapsedMs, endedMs, log, outputLost } = run;
  const { hasReport } = directory;
  // A report that exists but cannot be read now must not be lost.
  if (hasReport.kind === 'unknown' || hasReport.value) return;
  const { id, label, command, cwd, startedAt } = run.record;
  const report = composeReport({
    id,
    label,
    command,
    cwd,
    startedAt,
    endedAt: new Date(endedMs).toISOString(),
    elapsedMs,
    exit,
    ending,
    journal,
    diagnosis: watch.diagnosis,
    leftBehind: [],
    progress: log.tail.progress,
    phase: null,
    peak: watch.peak,
    outputBytes: log.tail.bytes,
    lastLines: log.tail.lastLines,
    ...(outputLost !== null && { outputLost }),
    ...(log.tail.agent !== null && { agent: log.tail.agent }),
  });
  const { outcome, exitCode } = report;
  journal.report({ kind: 'exited', outcome, exit, exitCode, elapsedMs });
  try {
    directory.writeReport(report);
  } catch {
    // The disk is full, or the directory is gone. The essential facts are in the exit file.
  }
}
