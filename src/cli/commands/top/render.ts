import pc from 'picocolors';
import type { ListedRun } from '../../../model/operations/outputs.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth, wrapToWidth } from '../../output/display-width.js';
import { nothingFound } from '../../shared/run-filter.js';
import { shortId } from '../../shared/short-id.js';
import { renderPs } from '../ps/render.js';
import { footerOf } from './footer.js';
import { indexOf, type Top } from './state.js';
import { textView } from './text-views.js';
import { type Colors, detailRows, type TopView, tableRows } from './view.js';

/** Rows of one sentence of the details. */
const sentenceRows = 4;

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function titleOf(top: Top, { all, runs, trouble }: TopView): string {
  if (trouble !== '') return trouble;
  if (all === null) return 'unstuck top: reading the runs ...';
  const live = all.filter(({ status }) => status === 'running');
  const bad = live.filter(({ health, needsInput }) => needsInput || health !== 'healthy').length;
  const parts = [
    plural(all.length, 'run'),
    ...(bad > 0 ? [`${bad} in trouble`] : []),
    ...(live.length > 0 ? [`${live.length} running`] : []),
    ...(all.length > live.length ? [`${all.length - live.length} ended`] : []),
    ...(top.find === '' ? [] : [`${runs.length} with ${JSON.stringify(printable(top.find))}`]),
  ];
  return `unstuck top: ${parts.join(', ')}`;
}

/** The chosen run in full: what it is, why it is in that state, what to do. */
function detailsOf(run: ListedRun | undefined, { columns, rows, runs }: TopView): string[] {
  // What the table does not need.
  const room = Math.max(detailRows(rows), rows - 3 - Math.max(1, runs.length));
  const fill = (lines: string[]) => [...lines, ...Array<string>(room).fill('')].slice(0, room);
  if (run === undefined) return fill([]);
  const place = run.on === undefined ? '' : ` on ${run.on}`;
  const sentences = [
    `${run.label} (${run.id})${place}: ${run.command}`,
    run.why,
    run.recommendation === undefined ? '' : `next: ${run.recommendation}`,
    run.lastLine === '' ? '' : `last line: ${run.lastLine}`,
  ].filter((text) => text !== '');
  const lines = [''];
  for (const [index, text] of sentences.entries()) {
    // Each of those that follow gets a line.
    const free = room - lines.length - (sentences.length - index - 1);
    const wrapped = wrapToWidth(printable(text), columns);
    const shown = wrapped.slice(0, Math.max(0, Math.min(free, sentenceRows)));
    if (shown.length > 0 && shown.length < wrapped.length)
      shown.push(`${cutToWidth(shown.pop() ?? '', columns - 4)} ...`);
    lines.push(...shown);
  }
  return fill(lines);
}

function tableLines(top: Top, view: TopView, colors: Colors): string[] {
  const { columns, runs, all, nowMs } = view;
  const rows = Math.max(1, Math.min(tableRows(view.rows), runs.length));
  const fill = (lines: string[]) => [...lines, ...Array<string>(rows + 1).fill('')].slice(0, rows + 1);
  if (all === null) return fill([]);
  if (all.length === 0) return fill(wrapToWidth(nothingFound({}), columns));
  if (runs.length === 0)
    return fill(wrapToWidth(`no run has ${JSON.stringify(printable(top.find))}; Esc shows all`, columns));
  const at = indexOf(top, runs);
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), runs.length - rows));
  const shown = runs
    .slice(first, first + rows)
    .map((run) =>
      run.status === 'running' ? { ...run, uptimeS: (nowMs - Date.parse(run.startedAt)) / 1000 } : run,
    );
  const ids = all.map(({ id }) => id);
  const lines = renderPs([{ title: null, runs: shown }], ids, { columns: columns - 2, color: view.color });
  const marked = lines.map((line, index) =>
    index - 1 === at - first ? `${colors.bold(colors.green('>'))} ${line}` : `  ${line}`,
  );
  return fill(marked);
}

/** The screen: as many lines as it has rows, none wider than it. */
export function topLines(top: Top, view: TopView): string[] {
  const colors = pc.createColors(view.color);
  const { mode } = top;
  const labelOf = (id: string) => printable(view.all?.find((run) => run.id === id)?.label ?? shortId(id));
  const footer = footerOf(top, labelOf, view.columns, colors);
  if (mode.kind === 'keys' || mode.kind === 'why' || mode.kind === 'log')
    return [...textView(mode, labelOf, view, colors), footer];
  const title = cutToWidth(printable(titleOf(top, view)), view.columns);
  const isBad = view.trouble !== '';
  return [
    isBad ? colors.yellow(title) : colors.bold(title),
    ...tableLines(top, view, colors),
    ...detailsOf(view.runs[indexOf(top, view.runs)], view),
    footer,
  ];
}
