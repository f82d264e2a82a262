import { valueOr } from '../model/facts/reading.js';
import type { Exit, Outcome, RunReport } from '../model/run/run.js';
import type { Journal } from './journal.js';
import type { OpenRun } from './open-run.js';
import type { RunOutput } from './output/run-output.js';
import type { Rounds } from './rounds.js';
import type { Ending } from './stop/ending.js';

/** Exit codes of `unstuck run`. A command that ended by itself keeps its own code. */
const exitCodes: Partial<Record<Outcome, number>> = {
  timeout: 124,
  'idle-timeout': 121,
  stalled: 121,
  stuck: 121,
};

const exitCodeUnknown = 125;

/** The facts that only the supervisor of the run knows. The rest of a report follows from them. */
export interface Story
  extends Pick<
    RunReport,
    | 'agent'
    | 'id'
    | 'label'
    | 'command'
    | 'cwd'
    | 'startedAt'
    | 'endedAt'
    | 'elapsedMs'
    | 'exit'
    | 'diagnosis'
    | 'leftBehind'
    | 'progress'
    | 'phase'
    | 'peak'
    | 'outputBytes'
    | 'outputLost'
    | 'lastLines'
  > {
  ending: Ending;
  journal: Journal;
}

export const noPeak: RunReport['peak'] = { cpuPercent: 0, residentBytes: 0, processes: 0 };

export function composeReport({ ending, journal, ...story }: Story): RunReport {
  const { exit } = story;
  const outcome = exit.code === null && ending.outcome === 'exited' ? 'lost' : ending.outcome;
  return {
    version: 1,
    ...story,
    outcome,
    exitCode: exitCodes[outcome] ?? exit.code ?? exitCodeUnknown,
    why: ending.why,
    receipt: ending.receipt,
    history: [...journal.history],
    files: [...ending.files],
    warnings: [...journal.warnings],
  };
}

export interface ReportSubject {
  run: OpenRun;
  ending: Ending;
  output: RunOutput;
  rounds: Rounds;
  exit: Exit;
  leftBehind: RunReport['leftBehind'];
}

/** The report of a foreground run. */
export function finalReport({ run, ending, output, rounds, exit, leftBehind }: ReportSubject): RunReport {
  const { id, label, command, cwd, startedAt, journal } = run;
  const outputLost = run.directory === null ? null : valueOr(run.directory.outputLost, null);
  const { vitals, reader, phase } = rounds;
  return composeReport({
    id,
    label,
    command,
    cwd,
    startedAt,
    endedAt: new Date().toISOString(),
    elapsedMs: Math.round(journal.elapsedMs),
    ending,
    journal,
    exit,
    diagnosis: vitals?.diagnosis ?? null,
    leftBehind,
    progress: reader?.progress() ?? null,
    phase,
    peak: vitals === null ? noPeak : { ...vitals.peak },
    outputBytes: output.bytes,
    lastLines: output.tail.lastLines,
    ...(outputLost !== null && { outputLost }),
  });
}
