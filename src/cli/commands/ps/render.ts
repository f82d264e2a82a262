import pc from 'picocolors';
import type { OperationOutput } from '../../../control/operations/table.js';
import { endNotRecorded, exitWords } from '../../../model/run/run.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth, displayWidth, fitToWidth } from '../../output/display-width.js';
import { shortId } from '../../shared/short-id.js';
import { clock } from '../run/render-heartbeat.js';
import type { RunGroup } from './group-runs.js';

type Run = OperationOutput<'list'>['runs'][number];
type Colors = ReturnType<typeof pc.createColors>;
type Color = 'red' | 'yellow' | 'green' | 'dim';

export interface PsView {
  /** Infinity: nothing is cut. */
  columns: number;
  color: boolean;
}

/** Most of the columns that a label gets, and its share of a narrow terminal. */
const labelColumnsMax = 24;
const labelShare = 0.2;
const labelColumnsMin = 12;
const stateColumnsMin = 10;
/** CPU and memory give way where less would be left: a state is the longest word there, without its reason. */
const stateColumnsWanted = 'confirmed-stuck'.length;
/** Share of the space that the other columns leave; the rest is for the last line. */
const stateShare = 0.55;
/** Narrower terminals show only the part of an id that must be typed. */
const wholeIdFromColumns = 100;
const between = '  ';
const pausedFor = /^paused for [^;]*/;

const healthColors: Record<NonNullable<Run['health']>, Color> = {
  healthy: 'green',
  suspicious: 'yellow',
  'likely-stuck': 'red',
  'confirmed-stuck': 'red',
};

/** The status word, its colour and the reason; missing output comes first. */
function stateOf(run: Run): { word: string; why: string; color: Color } {
  const state = standingOf(run);
  if (run.outputLost === undefined) return state;
  const why = [run.outputLost.message, state.why].filter((part) => part !== '').join('; ');
  return { ...state, why, color: state.color === 'red' ? 'red' : 'yellow' };
}

function standingOf(run: Run): { word: string; why: string; color: Color } {
  if (run.status === 'lost') return { word: 'lost', why: endNotRecorded, color: 'red' };
  if (run.status === 'exited' || run.health === null)
    return {
      word: exitWords(run.exit),
      why: restartWords(run.restart),
      color: run.exit?.code === 0 && run.exit.stopped === undefined ? 'dim' : 'yellow',
    };
  // Not the words: how to go on would be cut off.
  if (run.paused) return { word: pausedFor.exec(run.why)?.[0] ?? 'paused', why: '', color: 'yellow' };
  if (run.unreachableSince !== undefined) {
    return { word: 'unreachable', why: printable(run.why.replace(/^unreachable /, '')), color: 'yellow' };
  }
  // Not a failure: the user can answer.
  if (run.needsInput && run.health === 'healthy') {
    return { word: 'needs input', why: printable(run.why), color: 'yellow' };
  }
  return { word: run.health, why: printable(run.why), color: healthColors[run.health] };
}

function restartWords(restart: Run['restart']): string {
  if (restart === undefined) return '';
  const { attempt, nextAt, over } = restart;
  const leftS = nextAt === null ? 0 : Math.max(0, Math.round((Date.parse(nextAt) - Date.now()) / 1000));
  if (nextAt !== null) return `attempt ${attempt}, restarts in ${leftS} s`;
  return over === null ? `attempt ${attempt}, was restarted` : printable(`attempt ${attempt}, ${over}`);
}

interface Row {
  id: { short: string; rest: string };
  label: string;
  state: ReturnType<typeof stateOf>;
  cpu: string;
  memory: string;
  time: string;
  line: string;
}

function rowOf(run: Run, ids: readonly string[], columns: number): Row {
  const wholeId = columns >= wholeIdFromColumns;
  const labelColumns = Math.max(labelColumnsMin, Math.min(labelColumnsMax, Math.floor(columns * labelShare)));
  const short = shortId(run.id, ids);
  // A running process uses memory: 0 means that it was not sampled yet.
  const isSampled = run.status === 'running' && run.residentBytes > 0;
  return {
    id: { short, rest: wholeId ? run.id.slice('run_'.length + short.length) : '' },
    label: cutToWidth(printable(run.label), labelColumns),
    state: stateOf(run),
    cpu: isSampled ? `${Math.round(run.cpuPercent)}%` : '',
    memory: isSampled ? formatBytes(run.residentBytes) : '',
    time: clock(run.uptimeS * 1000),
    line: printable(
      [run.progress ?? '', run.estimate?.text ?? '', run.lastLine].filter((part) => part !== '').join(' │ '),
    ),
  };
}

const stateText = ({ word, why }: Row['state']) => (why === '' ? word : `${word}: ${why}`);
const widest = (title: string, texts: string[]) => Math.max(title.length, ...texts.map(displayWidth));

interface Widths {
  id: number;
  label: number;
  state: number;
  /** 0: there is no room for the column. */
  cpu: number;
  /** 0: there is no room for the column. */
  memory: number;
  time: number;
  line: number;
}

const sum = (widths: readonly number[]) =>
  widths.filter((width) => width > 0).reduce((total, width) => total + width + between.length, 0);

function widthsOf(rows: readonly Row[], columns: number): Widths {
  const fixed = {
    id: widest(
      'ID',
      rows.map(({ id }) => id.short + id.rest),
    ),
    label: widest(
      'LABEL',
      rows.map(({ label }) => label),
    ),
    cpu: widest(
      'CPU',
      rows.map(({ cpu }) => cpu),
    ),
    memory: widest(
      'MEMORY',
      rows.map(({ memory }) => memory),
    ),
    time: widest(
      'TIME',
      rows.map(({ time }) => time),
    ),
  };
  const isTight = () => sum([...Object.values(fixed), stateColumnsWanted]) - between.length > columns;
  if (isTight()) fixed.memory = 0;
  if (isTight()) fixed.cpu = 0;
  const free = Math.max(0, columns - sum(Object.values(fixed)) - between.length);
  const wanted = widest(
    'HEALTH',
    rows.map(({ state }) => stateText(state)),
  );
  const lines = widest(
    'LAST LINE',
    rows.map(({ line }) => line),
  );
  const share = Math.max(
    stateColumnsMin,
    Math.min(free, stateColumnsWanted),
    Math.floor(free * stateShare),
    free - lines,
  );
  const state = Math.min(wanted, share);
  return { ...fixed, state, line: Math.max(0, free - state) };
}

function drawState({ word, color }: Row['state'], text: string, colors: Colors): string {
  return text.startsWith(word)
    ? `${colors[color](word)}${colors.dim(text.slice(word.length))}`
    : colors[color](text);
}

function draw(row: Row, widths: Widths, colors: Colors): string {
  const idPad = ' '.repeat(Math.max(0, widths.id - row.id.short.length - row.id.rest.length));
  return [
    `${colors.bold(row.id.short)}${colors.dim(row.id.rest)}${idPad}`,
    fitToWidth(row.label, widths.label),
    drawState(row.state, fitToWidth(stateText(row.state), widths.state), colors),
    ...(widths.cpu === 0 ? [] : [row.cpu.padStart(widths.cpu)]),
    ...(widths.memory === 0 ? [] : [row.memory.padStart(widths.memory)]),
    row.time.padStart(widths.time),
    cutToWidth(row.line, widths.line),
  ].join(between);
}

/** The table for a terminal, one line per run in the given order, never wider than the terminal. */
export function renderPs(groups: readonly RunGroup[], all: readonly string[], view: PsView): string[] {
  const runs = groups.flatMap((group) => group.runs);
  const rows = runs.map((run) => rowOf(run, all, view.columns));
  const widths = widthsOf(rows, view.columns);
  const whole = sum(Object.values(widths)) - between.length;
  // A tiny terminal cuts lines, so no colours: their end would be cut off.
  const isTiny = whole > view.columns;
  const colors = pc.createColors(view.color && !isTiny);
  const heading = [
    'ID'.padEnd(widths.id),
    'LABEL'.padEnd(widths.label),
    'HEALTH'.padEnd(widths.state),
    ...(widths.cpu === 0 ? [] : ['CPU'.padStart(widths.cpu)]),
    ...(widths.memory === 0 ? [] : ['MEMORY'.padStart(widths.memory)]),
    'TIME'.padEnd(widths.time),
    cutToWidth('LAST LINE', widths.line),
  ].join(between);
  const drawn = rows.map((row) => draw(row, widths, colors));
  const lines = groups.flatMap((group) => [
    ...(group.title === null ? [] : [colors.bold(cutToWidth(group.title, view.columns))]),
    ...drawn.splice(0, group.runs.length),
  ]);
  const table = [colors.dim(heading.trimEnd()), ...lines].map((line) => line.trimEnd());
  return isTiny ? table.map((line) => cutToWidth(line, view.columns)) : table;
}
