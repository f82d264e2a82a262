import type { Promised } from '../../diagnose/history/estimate.js';
import type { Failure } from '../../model/failure.js';
import type { Usual } from '../../model/run/norms.js';
import type { OutputLost } from '../../model/run/output-lost.js';
import type { Exit, Outcome, RunReport } from '../../model/run/run.js';
import type { Journal } from '../journal.js';
import type { WatchedOutput } from '../output/clues.js';
import { learnedSilence } from '../output/gaps.js';
import { unknownExit } from '../state.js';
import type { Ending } from '../stop/ending.js';

/** Exit codes of `unstuck run`. A command that ended by itself keeps its own code. */
const exitCodes: Partial<Record<Outcome, number>> = {
  timeout: 124,
  'idle-timeout': 121,
  stalled: 121,
  stuck: 121,
};

const exitCodeUnknown = 125;

const noPeak: RunReport['peak'] = { cpuPercent: 0, residentBytes: 0, processes: 0 };

/** What a run was started as. */
export type RunAbout = Pick<RunReport, 'id' | 'label' | 'command' | 'cwd' | 'startedAt'>;

/** When and how a run ended. */
export interface EndFacts extends Pick<RunReport, 'elapsedMs' | 'leftBehind' | 'progress'> {
  exit: Exit;
  /** By the wall clock. */
  atMs: number;
  outputLost: OutputLost | null;
}

export interface ReportSubject {
  about: RunAbout;
  journal: Journal;
  ending: Ending;
  output: WatchedOutput;
  /** null: the run was too short to be monitored. */
  monitor:
    | (Pick<RunReport, 'diagnosis' | 'phase'> & {
        phases: readonly string[];
        promised: readonly Promised[];
        usual: Usual | null;
        vitals: Pick<RunReport, 'peak'> | null;
      })
    | null;
}

/** The report of a run. */
export function composeReport(subject: ReportSubject, facts: EndFacts): RunReport {
  const { about, journal, ending, output, monitor } = subject;
  const { exit, atMs, elapsedMs, leftBehind, progress, outputLost } = facts;
  const { id, label, command, cwd, startedAt } = about;
  const outcome = exit.code === null && ending.outcome === 'exited' ? 'lost' : ending.outcome;
  return {
    version: 1,
    id,
    label,
    command,
    cwd,
    startedAt,
    endedAt: new Date(atMs).toISOString(),
    elapsedMs,
    exit,
    diagnosis: monitor?.diagnosis ?? null,
    leftBehind,
    progress,
    phase: monitor?.phase ?? null,
    peak: { ...(monitor?.vitals?.peak ?? noPeak) },
    usualMs: monitor?.usual?.duration.medianMs ?? null,
    longestSilenceMs: learnedSilence(output.longestSilence(monotonicMs(atMs)), elapsedMs),
    outputBytes: output.bytes,
    lastLines: output.tail.lastLines,
    ...(outputLost !== null && { outputLost }),
    outcome,
    exitCode: exitCodes[outcome] ?? exit.code ?? exitCodeUnknown,
    why: ending.why,
    receipt: ending.receipt,
    history: [...journal.history],
    files: [...ending.files],
    warnings: [...journal.warnings],
    ...(output.agent !== null && { agent: output.agent.facts() }),
  };
}

/** A time of the wall clock, on that of `performance.now()`. */
const monotonicMs = (atMs: number) => performance.now() - Math.max(0, Date.now() - atMs);

/** The report of a run whose command never started. */
export function notStartedReport(about: Omit<RunAbout, 'id' | 'startedAt'>, failure: Failure): RunReport {
  const at = new Date().toISOString();
  return {
    version: 1,
    id: '',
    ...about,
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
    peak: noPeak,
    usualMs: null,
    longestSilenceMs: null,
    outputBytes: 0,
    lastLines: [],
    files: [],
    warnings: [failure.message],
  };
}
