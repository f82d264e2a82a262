import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

export interface Table {
  title: string;
  note?: string;
  head: string[];
  rows: string[][];
}

export interface Goal {
  what: string;
  target: string;
  measured: string;
  met: boolean;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
export const times = (value: number, digits = 1): string =>
  `${value < 10 ? value.toFixed(digits) : Math.round(value)}x`;

/** A Markdown table that is readable as it is, too. */
export function renderTable({ title, note, head, rows }: Table): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${column === 0 ? '-' : ':'}`).join('|')}|`;
  return [`## ${title}`, '', ...(note ? [note, ''] : []), line(head), rule, ...rows.map(line), ''].join('\n');
}

/** Without title and note: the text around it says it. */
export function bareTable(table: Table): string {
  return renderTable(table)
    .split('\n')
    .slice(table.note ? 4 : 2)
    .join('\n')
    .trimEnd();
}

export function goalsTable(goals: Goal[]): Table {
  return {
    title: 'Goals',
    head: ['what', 'goal', 'measured', 'met'],
    rows: goals.map(({ what, target, measured, met }) => [what, target, measured, met ? 'yes' : '**no**']),
  };
}

export function describeLoad(): string {
  return os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
}

/** The kind of machine, and nothing that tells which one it is. */
export function describeMachine(): string {
  const cpus = os.cpus();
  return [
    `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown CPU'}`,
    `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    `Linux ${os.release().split('-')[0]}`,
    `Node.js ${process.version}`,
    `load before the run ${describeLoad()}`,
  ].join(', ');
}

/** Numbers of a busy machine say more about the machine. */
export function isBusy(): boolean {
  return (os.loadavg()[0] ?? 0) > os.cpus().length / 2;
}

export function saveReport(root: string, text: string): string {
  const name = `bench/results/${new Date().toISOString().slice(0, 10)}.md`;
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  writeFileSync(join(root, name), text);
  return name;
}
