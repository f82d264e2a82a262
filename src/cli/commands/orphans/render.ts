import pc from 'picocolors';
import type { Classification, Orphan, OrphanRun } from '../../../model/orphan.js';
import { quoteWord } from '../../../model/place.js';
import { formatDuration } from '../../../text/duration.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth, displayWidth, fitToWidth } from '../../output/display-width.js';
import { shortId } from '../../shared/short-id.js';

export interface OrphansView {
  /** Infinity: nothing is cut. */
  columns: number;
  color: boolean;
  nowMs: number;
}

const between = '  ';
const titles = ['PID', 'AGE', 'MEMORY', 'PORTS', 'CLASS', 'COMMAND', 'WHY'] as const;
/** Right-aligned number columns. */
const right = new Set([0, 1, 2]);
const classColumn = 4;
const commandColumn = 5;
/** Share of the space that the number columns leave. */
const commandShare = 0.45;
const textColumnsMin = 10;
const pidsShownMax = 8;

const classColors: Record<Classification, 'red' | 'yellow'> = { confirmed: 'red', suspected: 'yellow' };

/** Confirmed orphans first, then the oldest. */
function orderOrphans(orphans: readonly Orphan[]): Orphan[] {
  const rank = ({ classification }: Orphan) => (classification === 'confirmed' ? 0 : 1);
  return [...orphans].sort((a, b) => rank(a) - rank(b) || b.ageMs - a.ageMs || a.pid - b.pid);
}

function cellsOf({ pid, ageMs, residentBytes, ports, classification, command, reason }: Orphan): string[] {
  return [
    String(pid),
    formatDuration(ageMs),
    residentBytes === null ? '-' : formatBytes(residentBytes),
    ports.length === 0 ? '-' : ports.join(','),
    classification,
    printable(command),
    printable(reason),
  ];
}

function widthsOf(table: readonly (readonly string[])[], columns: number): number[] {
  const widths = titles.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  const fixed = widths.slice(0, commandColumn).reduce((sum, width) => sum + width + between.length, 0);
  const free = columns - fixed - between.length;
  const [command = 0, why = 0] = widths.slice(commandColumn);
  const share = Math.max(textColumnsMin, Math.floor(free * commandShare), free - why);
  const forCommand = Math.min(command, share);
  return [...widths.slice(0, commandColumn), forCommand, Math.max(textColumnsMin, free - forCommand)];
}

function drawRow(row: readonly string[], widths: readonly number[]): string[] {
  return row.map((text, column) => {
    const width = widths[column] ?? 0;
    if (right.has(column)) return text.padStart(width);
    return column === titles.length - 1 ? cutToWidth(text, width) : fitToWidth(text, width);
  });
}

const listOf = (pids: readonly number[]) => {
  const more = pids.length - pidsShownMax;
  return more > 0 ? `${pids.slice(0, pidsShownMax).join(', ')} and ${more} more` : pids.join(', ');
};

/** The run that orphans came from; unknown parts are left out. */
function runLine({ id, label, command, cwd, owner, startedAt }: OrphanRun, pids: number[], nowMs: number) {
  const agoMs = startedAt === null ? Number.NaN : nowMs - Date.parse(startedAt);
  const parts = [
    `run ${shortId(id)}${label === null ? '' : ` (${label})`}${command === null ? '' : `: ${command}`}`,
    ...(cwd === null ? [] : [`in ${cwd}`]),
    ...(owner === null ? [] : [`by ${owner}`]),
    ...(agoMs >= 0 ? [`started ${formatDuration(agoMs)} ago`] : []),
  ];
  return `from ${printable(parts.join(', '))} [${listOf(pids)}]`;
}

function runLines(orphans: readonly Orphan[], nowMs: number): string[] {
  const byRun = new Map<string, { run: OrphanRun; pids: number[] }>();
  for (const { run, pid } of orphans) {
    if (run === null) continue;
    const known = byRun.get(run.id);
    if (known === undefined) byRun.set(run.id, { run, pids: [pid] });
    else known.pids.push(pid);
  }
  return [...byRun.values()].map(({ run, pids }) => runLine(run, pids, nowMs));
}

function total(orphans: readonly Orphan[]): string {
  const confirmed = orphans.filter(({ classification }) => classification === 'confirmed').length;
  const bytes = orphans.reduce((sum, { residentBytes }) => sum + (residentBytes ?? 0), 0);
  const count = orphans.length === 1 ? '1 orphan' : `${orphans.length} orphans`;
  return `${count}, ${formatBytes(bytes)}: ${confirmed} confirmed, ${orphans.length - confirmed} suspected`;
}

/** The table for a terminal, a line for each run they came from, and the total. */
export function renderOrphans(found: readonly Orphan[], { columns, color, nowMs }: OrphansView): string[] {
  if (found.length === 0) return ['no orphans: no process outlived its run'];
  const orphans = orderOrphans(found);
  const rows = orphans.map(cellsOf);
  const widths = widthsOf([titles, ...rows], columns);
  const colors = pc.createColors(color);
  const lines = rows.map((row, index) => {
    const cells = drawRow(row, widths);
    const paint = colors[classColors[orphans[index]?.classification ?? 'suspected']];
    return cells
      .map((cell, column) => (column === classColumn ? paint(cell) : cell))
      .join(between)
      .trimEnd();
  });
  return [
    colors.dim(drawRow(titles, widths).join(between).trimEnd()),
    ...lines,
    ...runLines(orphans, nowMs).map((line) => colors.dim(cutToWidth(line, columns))),
    total(orphans),
  ];
}

/** What to type next. */
export function nextLines(found: readonly Orphan[], on?: string): string[] {
  const kill = `unstuck kill --orphans${on === undefined ? '' : ` --on ${quoteWord(on)}`}`;
  const has = (wanted: Classification) => found.some(({ classification }) => classification === wanted);
  const steps = [
    ...(found.length > 0 ? [[`${kill} --dry-run`, 'print what would be stopped']] : []),
    ...(has('confirmed') ? [[kill, 'stop confirmed orphans']] : []),
    ...(has('suspected') ? [[`${kill} --force`, 'stop suspected orphans too']] : []),
  ];
  const width = kill.length + 12;
  return steps.map(
    ([command = '', purpose = ''], index) =>
      `${index === 0 ? 'next: ' : '      '}${command.padEnd(width)}${purpose}`,
  );
}
