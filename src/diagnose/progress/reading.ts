import type { Phase, Recogniser } from './recogniser.js';
import { recognise } from './table.js';

/** The progress that one line reports. */
export type Reading =
  | { says: 'measure'; done: number; total: number | null; text: string }
  | { says: 'item'; name: string }
  | { says: 'total'; total: number }
  | { says: 'sign'; sign: string; text: string }
  | { says: 'end' };

/** The origin of a reading: readings of the same series belong together. */
export interface Source {
  key: string;
  tool: string;
  phase: Phase | null;
  unit: string;
  rank: 'main' | 'detail' | 'weak' | 'custom';
  /** Only a new maximum counts. */
  unordered: boolean;
}

export interface LineReading {
  source: Source;
  reading: Reading;
}

const textChars = 40;

/** null: the line reports no progress. */
export function readLine(line: string): LineReading | null {
  const found = recognise(line);
  if (found === null) return null;
  const { row, match } = found;
  const reading = readingOf(row, match);
  return reading === null ? null : { source: sourceOf(row, match), reading };
}

/** Groups named done, total, percent; or the first and second group; or the match itself, whose change counts. */
export function readCustom(line: string, pattern: RegExp): LineReading | null {
  pattern.lastIndex = 0;
  const match = pattern.exec(line);
  if (match === null) return null;
  return { source: custom, reading: measureOf(withNames(match)) ?? signOf(match) };
}

const custom: Source = {
  key: 'custom',
  tool: '',
  phase: null,
  unit: '',
  rank: 'custom',
  unordered: false,
};

interface Groups {
  done?: string;
  total?: string;
  percent?: string;
  sum?: string;
}

function withNames(match: RegExpExecArray): Groups {
  if (match.groups !== undefined) return match.groups;
  const [all, first, second] = match;
  if (first === undefined) return {};
  if (second === undefined && all.includes(`${first}%`)) return { percent: first };
  return { done: first, total: second };
}

function signOf(match: RegExpExecArray): Reading {
  const sign =
    match.groups?.name ?? match.find((group, index) => index > 0 && group !== undefined) ?? match[0];
  return { says: 'sign', sign, text: sign.trim().slice(0, textChars) };
}

function sourceOf(row: Recogniser, match: RegExpExecArray): Source {
  // Only the text before a number distinguishes the counts of different parts of a program.
  const series =
    row.rank === 'weak'
      ? match.input.slice(0, match.index).replace(/\d/g, '').slice(-textChars)
      : match.groups?.series;
  return {
    key: [row.tool, row.says === 'sign' ? 'sign' : (row.unit ?? ''), series ?? ''].join('\n'),
    tool: row.tool,
    phase: row.phase ?? null,
    unit: row.unit ?? '',
    rank: row.rank ?? 'main',
    unordered: row.unordered ?? false,
  };
}

function readingOf(row: Recogniser, match: RegExpExecArray): Reading | null {
  const name = match.groups?.name ?? match.input;
  switch (row.says) {
    case 'measure':
      return measureOf(match.groups ?? {});
    case 'item':
      return { says: 'item', name };
    case 'total':
      return { says: 'total', total: amountOf(match.groups?.total) ?? 0 };
    case 'sign':
      return { says: 'sign', sign: name, text: '' };
    case 'end':
      return { says: 'end' };
  }
}

/** null: no number in it, or `done` exceeds `total`. */
function measureOf({ done, total, percent, sum }: Groups): Reading | null {
  const whole = amountOf(total);
  // `3.0/30.0 MB`: the unit of the whole is the unit of its part.
  const unit = /[a-z]+\s*$/i.exec(total ?? '')?.[0] ?? '';
  if (sum !== undefined || done !== undefined) {
    const part =
      sum === undefined ? amountOf(/[a-z]\s*$/i.test(done ?? '') ? done : `${done}${unit}`) : addUp(sum);
    if (part === null || (whole !== null && (whole === 0 || part > whole))) return null;
    const text = sum === undefined ? trimmed(done) : String(part);
    return {
      says: 'measure',
      done: part,
      total: whole,
      text: whole === null ? text : `${text}/${trimmed(total)}`,
    };
  }
  const part = amountOf(percent);
  if (part === null || part > 100) return null;
  return { says: 'measure', done: part, total: 100, text: `${trimmed(percent)}%` };
}

function trimmed(text: string | undefined): string {
  return (text ?? '').trim().slice(0, textChars);
}

const scales: Record<string, number> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };

/** `1,234`, `12.58MB`, `1.2G`; null: not a number. */
function amountOf(text: string | undefined): number | null {
  const match = /^\s*([\d,]+(?:\.\d+)?|\.\d+)\s*([kmgtp])?i?b?\s*$/i.exec(text ?? '');
  if (match === null) return null;
  const amount = Number((match[1] ?? '').replaceAll(',', '')) * (scales[(match[2] ?? '').toLowerCase()] ?? 1);
  return Number.isFinite(amount) ? amount : null;
}

/** `1 failed | 5 passed` is 6. */
function addUp(text: string): number {
  return (text.match(/\d+/g) ?? []).reduce((sum, digits) => sum + Number(digits), 0);
}
