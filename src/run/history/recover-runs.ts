import path from 'node:path';
import { knownValue } from '../../model/facts/reading.js';
import { type Outcome, outcomes, type RunRecord, type RunReport } from '../../model/run/run.js';
import { livenessOf } from '../../probe/processes.js';
import { readRecord } from '../../store/read-record.js';
import { RunDirectory } from '../../store/run-directory.js';
import { listRuns } from '../../store/run-ids.js';
import { countLines } from './count-lines.js';
import { RunHistory } from './run-history.js';

/**
 * Adds runs of `unstuck run` whose supervisor was killed before it could do so. What the shim has recorded is enough.
 * A run that cannot be read now is tried again the next time.
 */
export function recoverRuns(home: string): void {
  const runs = path.join(home, 'runs');
  const ids = listRuns(runs);
  if (ids.kind === 'unknown') return;
  for (const id of ids.value) {
    try {
      recover(new RunDirectory(runs, id));
    } catch {
      // Read again next time.
    }
  }
}

function recover(directory: RunDirectory): void {
  // Only runs of the daemon are claimed. The daemon adds them.
  if (knownValue(directory.claimed, 'claim') !== 'not') return;
  if (knownValue(directory.isInHistory, 'whether it is in the history')) return;
  const record = readRecord(knownValue(directory.readRecord(), 'run.json'));
  if (typeof record !== 'string' && record.background === null) recoverRun(directory, record);
}

/** Adds one run of `unstuck run`, if it is over and its supervisor has not done so. */
export function recoverRun(directory: RunDirectory, record: RunRecord): void {
  if (knownValue(directory.isInHistory, 'whether it is in the history') || !isLeft(record)) return;
  const exit = knownValue(directory.readExit(), 'exit');
  if (exit === null) return;
  const { isKept = true, key = null } = record.history ?? {};
  const history = new RunHistory(() => directory.home, record, { history: isKept, historyKey: key });
  history.add({
    id: record.id,
    startedAt: record.startedAt,
    durationMs: Math.max(0, directory.endedMs(exit) - Date.parse(record.startedAt)),
    longestSilenceMs: null,
    lines: countLines(directory, record.logs),
    outcome: outcomeOf(directory),
    exit,
    cpuPercent: 0,
    residentBytes: 0,
    phases: [],
    etaError: null,
  });
  directory.markInHistory();
}

/** A report that was written at a signal says what the supervisor was about to do. */
function outcomeOf(directory: RunDirectory): Outcome {
  const report = knownValue(directory.readJson('report.json'), 'report.json') as Partial<RunReport> | null;
  return outcomes.find((outcome) => outcome === report?.outcome) ?? 'exited';
}

/** Its supervisor has ended. */
function isLeft({ supervisor }: RunRecord): boolean {
  return supervisor !== null && livenessOf(supervisor) === 'ended';
}
