import type { Failure } from '../model/failure.js';
import type { RunReport } from '../model/run/run.js';
import { unknownExit } from './await-end.js';
import { commandLine, labelOf } from './prepare.js';
import type { RunRequest } from './request.js';

/** The report of a run whose command never started. */
export function notStartedReport({ command, cwd, settings }: RunRequest, failure: Failure): RunReport {
  const at = new Date().toISOString();
  return {
    version: 1,
    id: '',
    label: settings.label ?? labelOf(command),
    command: commandLine(command),
    cwd,
    startedAt: at,
    endedAt: at,
    elapsedMs: 0,
    outcome: 'not-started',
    exit: unknownExit,
    exitCode: failure.exitCode,
    diagnosis: null,
    why: null,
    receipt: null,
    leftBehind: [],
    progress: null,
    phase: null,
    history: [],
    peak: { cpuPercent: 0, residentBytes: 0, processes: 0 },
    outputBytes: 0,
    lastLines: [],
    files: [],
    warnings: [failure.message],
  };
}
