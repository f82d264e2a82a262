import pc from 'picocolors';
import type { OperationOutput } from '../../../control/operations/table.js';
import { endNotRecorded, exitWords } from '../../../model/run/run.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth, displayWidth, fitToWidth } from '../../output/display-width.js';
import { shortId } from '../../shared/short-id.js';
import { clock } from '../run/render-heartbeat.js';

type Run = OperationOutput<'list'>['runs'][number];
type Colors = ReturnType<typeof pc.createColors>;
type Color = 'red' | 'yellow' | 'green' | 'dim';

export interface PsView {
  /** Infinity: nothing is cut. */
  columns: number;
  color: boolean;
}

const labelColumns = 24;
const stateColumnsMin = 10;
/** Share of the space that the other columns leave; the rest is for the last line. */
const stateShare = 0.55;
/** Narrower terminals show only the part of an id that must be typed. */
const wholeIdFromColumns = 100;
const between = '  ';

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
      color: run.exit?.code === 0 ? 'dim' : 'yellow',
    };
  if (run.paused) return { word: 'paused', why: printable(run.why.replace(/^paused /, '')), color: 'yellow' };
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

function rowOf(run: Run, ids: readonly string[], wholeId: boolean): Row {
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
  cpu: number;
  memory: number;
  time: number;
  line: number;
}

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
  const taken = Object.values(fixed).reduce((sum, width) => sum + width + between.length, between.length);
  const free = Math.max(0, columns - taken);
  const wanted = widest(
    'HEALTH',
    rows.map(({ state }) => stateText(state)),
  );
  const lines = widest(
    'LAST LINE',
    rows.map(({ line }) => line),
  );
  const share = Math.max(stateColumnsMin, Math.floor(free * stateShare), free - lines);
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
    row.cpu.padStart(widths.cpu),
    row.memory.padStart(widths.memory),
    row.time.padStart(widths.time),
    cutToWidth(row.line, widths.line),
  ].join(between);
}

/** The table for a terminal, one line per run in the given order, never wider than the terminal. */
export function renderPs(runs: readonly Run[], all: readonly string[], view: PsView): string[] {
  const rows = runs.map((run) => rowOf(run, all, view.columns >= wholeIdFromColumns));
  const widths = widthsOf(rows, view.columns);
  const whole = Object.values(widths).reduce((sum, width) => sum + width + between.length, -between.length);
  // A tiny terminal cuts lines, so no colours: their end would be cut off.
  const isTiny = whole > view.columns;
  const colors = pc.createColors(view.color && !isTiny);
  const heading = [
    'ID'.padEnd(widths.id),
    'LABEL'.padEnd(widths.label),
    'HEALTH'.padEnd(widths.state),
    'CPU'.padStart(widths.cpu),
    'MEMORY'.padStart(widths.memory),
    'TIME'.padEnd(widths.time),
    cutToWidth('LAST LINE', widths.line),
  ].join(between);
  const lines = rows.map((row) => draw(row, widths, colors));
  const table = [colors.dim(heading.trimEnd()), ...lines].map((line) => line.trimEnd());
  return isTiny ? table.map((line) => cutToWidth(line, view.columns)) : table;
}
