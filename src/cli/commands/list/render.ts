import type { OperationOutput } from '../../../control/operations/table.js';
import { printable } from '../../../text/printable.js';
import { displayWidth } from '../../output/display-width.js';

type Run = OperationOutput<'list'>['runs'][number];

const titles = ['ID', 'STATUS', 'EXIT', 'HEALTH', 'PID', 'STARTED', 'LABEL', 'COMMAND'];

function cells(run: Run): string[] {
  const { id, status, exit, health, pid, startedAt, label, command } = run;
  const code = exit?.code ?? '-';
  return [id, status, String(code), health ?? '-', String(pid ?? '-'), startedAt, label, command].map(
    printable,
  );
}

/** One run per line, uncut: tab-separated fields for programs, columns with titles for a terminal. */
export function renderList(runs: readonly Run[], forTerminal: boolean): string[] {
  const rows = runs.map(cells);
  if (!forTerminal) return rows.map((row) => row.join('\t'));
  if (rows.length === 0) return [];
  const table = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - displayWidth(text));
  return table.map((row) => row.map(pad).join('  ').trimEnd());
}
