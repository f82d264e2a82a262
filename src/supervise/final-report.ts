import type { Exit, Outcome, RunReport } from '../model/run.js';
import type { Ending } from './ending.js';
import type { OpenRun } from './open-run.js';
import type { Rounds } from './rounds.js';
import type { RunOutput } from './run-output.js';

/** I5: what the command line ends with; the command's own code where it ended by itself. */
const exitCodes: Partial<Record<Outcome, number>> = {
  timeout: 124,
  'idle-timeout': 121,
  stalled: 121,
  stuck: 121,
};

const exitCodeUnknown = 125;

export interface ReportSubject {
  run: OpenRun;
  ending: Ending;
  output: RunOutput;
  rounds: Rounds;
  exit: Exit;
  leftBehind: RunReport['leftBehind'];
}

/** The end of the story, from what everybody knows. */
export function finalReport({ run, ending, output, rounds, exit, leftBehind }: ReportSubject): RunReport {
  const { id, label, command, cwd, startedAt, journal } = run;
  const { vitals, reader, phase } = rounds;
  const outcome = exit.code === null && ending.outcome === 'exited' ? 'lost' : ending.outcome;
  return {
    version: 1,
    id,
    label,
    command,
    cwd,
    startedAt,
    endedAt: new Date().toISOString(),
    elapsedMs: Math.round(journal.elapsedMs),
    outcome,
    exit,
    exitCode: exitCodes[outcome] ?? exit.code ?? exitCodeUnknown,
    diagnosis: vitals?.diagnosis ?? null,
    why: ending.why,
    receipt: ending.receipt,
    leftBehind,
    progress: reader?.progress() ?? null,
    phase,
    history: [...journal.history],
    peak: vitals === null ? { cpuPercent: 0, residentBytes: 0, processes: 0 } : { ...vitals.peak },
    outputBytes: output.bytes,
    lastLines: output.tail.lastLines,
    files: [...ending.files],
    warnings: [...journal.warnings],
  };
}
