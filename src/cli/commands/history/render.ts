import type { CommandHistory } from '../../../control/history/history.js';
import type { HistoryKey, PastRun } from '../../../model/run/past-run.js';
import { exitWords } from '../../../model/run/run.js';
import { formatDuration } from '../../../text/duration.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth, displayWidth } from '../../output/display-width.js';

export interface HistoryView {
  /** The last runs only. */
  limit: number;
  /** Infinity: nothing is cut. */
  columns: number;
}

/** A table whose first column is on the left; the others are, too, if they are named. */
function table(rows: readonly string[][], left: readonly number[], columns: number): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const pad = ' '.repeat((widths[at] ?? 0) - displayWidth(cell));
      return left.includes(at) ? cell + pad : pad + cell;
    });
    return cutToWidth(cells.join('  ').trimEnd(), columns);
  });
}

const bars = '▁▂▃▄▅▆▇█';
const barsMax = 60;

/** One bar per run; ×: it failed or was stopped. */
export function sparkline(runs: readonly PastRun[]): string {
  const shown = runs.slice(-barsMax);
  const longest = Math.max(1, ...shown.filter(isGood).map(({ durationMs }) => durationMs));
  return shown
    .map((run) => (isGood(run) ? bars[Math.round((run.durationMs / longest) * (bars.length - 1))] : '×'))
    .join('');
}

function isGood({ outcome, exit }: PastRun): boolean {
  return outcome === 'exited' && exit.code === 0;
}

function endOf(run: PastRun): string {
  if (isGood(run)) return 'ok';
  return run.outcome === 'exited' ? exitWords(run.exit) : run.outcome;
}

/** Local time, to the minute. */
function minuteOf(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function summary({ runs, usual, trend }: CommandHistory): string[] {
  const good = runs.filter(isGood).length;
  const count = `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${good} successful`;
  if (usual === null) return [`${count}: too few to say what is usual`];
  const { durationMs, longestSilenceMs } = usual;
  const silent = longestSilenceMs === null ? '' : `, silent for ${formatDuration(longestSilenceMs)} at most`;
  const times = `usually ${formatDuration(durationMs.median)}, 95 % within ${formatDuration(durationMs.p95)}`;
  return [`${count}: ${times}${silent}`, ...(trend === null ? [] : [trend])];
}

/** What is usual, a bar per run, and the last runs, newest first. */
export function renderHistory(history: CommandHistory, { limit, columns }: HistoryView): string[] {
  const { command, project, runs, outliers } = history;
  const where = project === null ? '' : `   in ${printable(project)}`;
  const rows = runs
    .slice(-limit)
    .reverse()
    .map((run) => [
      minuteOf(run.startedAt),
      formatDuration(run.durationMs),
      run.longestSilenceMs === null ? '-' : formatDuration(run.longestSilenceMs),
      run.lines === null ? '-' : String(run.lines),
      run.residentBytes === 0 ? '-' : formatBytes(run.residentBytes),
      printable(endOf(run)),
      outliers.includes(run.id) ? 'unusual' : '',
    ]);
  const head = ['STARTED', 'DURATION', 'SILENT', 'LINES', 'MEMORY', 'END', ''];
  return [
    cutToWidth(`${printable(command)}${where}`, columns),
    ...summary(history),
    sparkline(runs),
    '',
    ...table([head, ...rows], [0, 5, 6], columns),
  ];
}

/** One line per command. */
export function renderCommands(all: readonly CommandHistory[], columns: number): string[] {
  if (all.length === 0) return [];
  const rows = all.map(({ command, project, runs, usual }) => [
    cutToWidth(printable(command), 50),
    String(runs.length),
    usual === null ? '-' : formatDuration(usual.durationMs.median),
    minuteOf(runs.at(-1)?.startedAt ?? ''),
    printable(project ?? '(given key)'),
  ]);
  return table([['COMMAND', 'RUNS', 'USUALLY', 'LAST', 'PROJECT'], ...rows], [0, 3, 4], columns);
}

/** Which runs are compared with each other. */
export function renderKey({ id, command, project, directory }: HistoryKey, runs: number): string[] {
  const given = 'given; command and project do not matter';
  return [
    `key        ${id}`,
    `command    ${printable(command)}   (secrets masked; N: a number, #: a checksum or id, *: a temporary name)`,
    `project    ${project === null ? given : `${printable(project)}   (all work trees of a repository are one project)`}`,
    ...(directory === '' ? [] : [`directory  ${printable(directory)}   (inside the project)`]),
    `runs       ${runs}`,
  ];
}

const csvColumns = [
  ...['id', 'startedAt', 'durationMs', 'longestSilenceMs', 'lines', 'outcome', 'exitCode', 'signal'],
  ...['cpuPercent', 'residentBytes', 'phases'],
];

/** Comma-separated values, oldest first. */
export function renderCsv(runs: readonly PastRun[]): string[] {
  const rows = runs.map((run) => [
    ...[run.id, run.startedAt, run.durationMs, run.longestSilenceMs, run.lines, run.outcome],
    ...[run.exit.code, run.exit.signal, run.cpuPercent, run.residentBytes, run.phases.join(';')],
  ]);
  return [csvColumns.join(','), ...rows.map((row) => row.map(csvCell).join(','))];
}

/** A cell that begins like a formula would be run by a spreadsheet. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '').replace(/^[=+\-@\t]/, "'$&");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
