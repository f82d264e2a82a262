import path from 'node:path';
import type { HistoryKey, PastRun } from '../../model/run/past-run.js';
import { type Exit, type Outcome, outcomes, provenances } from '../../model/run/run.js';
import { redact } from '../../redact/redact.js';

/** The beginning of every line. */
export const lineStart = '{"id":"run_';

/** A longer line was not written by Unstuck. */
const lineCharsMax = 4096;

const commandCharsMax = 200;
const phasesMax = 8;
const phaseCharsMax = 24;

/** A run with the command that it was. Every line stands alone, so a torn one costs nothing else. */
export interface HistoryLine extends PastRun {
  command: string;
  /** null: the key was given. */
  project: string | null;
}

export function formatLine(run: PastRun, key: HistoryKey): string {
  const { id, startedAt, durationMs, longestSilenceMs, lines, outcome, exit, cpuPercent, residentBytes } =
    run;
  const phases = run.phases.slice(0, phasesMax).map((name) => name.slice(0, phaseCharsMax));
  const where = key.project === null ? null : path.join(key.project, key.directory);
  return JSON.stringify({
    id,
    startedAt,
    durationMs: Math.round(durationMs),
    longestSilenceMs: longestSilenceMs === null ? null : Math.round(longestSilenceMs),
    lines,
    outcome,
    exit,
    cpuPercent: Math.round(cpuPercent),
    residentBytes,
    phases,
    etaError: run.etaError,
    command: cut(key.command, commandCharsMax),
    project: where === null ? null : cut(redact(where), commandCharsMax),
  });
}

/** null: not a line of a history. */
export function parseLine(text: string): HistoryLine | null {
  if (!text.startsWith(lineStart) || text.length > lineCharsMax) return null;
  let line: HistoryLine;
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  const { startedAt, durationMs, longestSilenceMs, lines, outcome, exit, phases, command, project } = line;
  const isGood =
    typeof startedAt === 'string' &&
    !Number.isNaN(Date.parse(startedAt)) &&
    isAmount(durationMs) &&
    (longestSilenceMs === null || isAmount(longestSilenceMs)) &&
    (lines === null || isAmount(lines)) &&
    outcomes.includes(outcome as Outcome) &&
    isExit(exit) &&
    isAmount(line.cpuPercent) &&
    isAmount(line.residentBytes) &&
    Array.isArray(phases) &&
    phases.every((phase) => typeof phase === 'string') &&
    (line.etaError === null || isAmount(line.etaError)) &&
    typeof command === 'string' &&
    (project === null || typeof project === 'string');
  return isGood ? line : null;
}

function isExit(exit: unknown): exit is Exit {
  const { code, signal, provenance } = (exit ?? {}) as Exit;
  return (
    (code === null || isAmount(code)) &&
    (signal === null || typeof signal === 'string') &&
    provenances.includes(provenance)
  );
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}…`;
}
