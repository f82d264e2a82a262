import type { OptionRow, OptionValue } from './option.js';

const printUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Short, and to be read again: the largest unit that needs no fraction. */
export function printDuration(ms: number): string {
  if (ms === 0) return '0';
  const [suffix, unitMs] = printUnits.find(([, size]) => ms % size === 0) ?? ['ms', 1];
  return `${ms / unitMs}${suffix}`;
}

/** What stands in a file for a value; reading it again gives the same value. */
export type PrintedValue = string | number | boolean | null | string[];

export function printValue(row: OptionRow, value: OptionValue): PrintedValue {
  if (row.kind === 'duration') return printDuration(value as number);
  if (value instanceof RegExp) return value.source;
  if (Array.isArray(value)) return value.map(({ name, pattern }) => `${name}=${pattern.source}`);
  return value;
}
