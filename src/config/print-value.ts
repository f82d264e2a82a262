import type { OptionRow, OptionValue } from './option.js';

const printUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Prints a duration in the largest unit without a fraction, so that it can be parsed again. */
export function printDuration(ms: number): string {
  if (ms === 0) return '0';
  const [suffix, unitMs] = printUnits.find(([, size]) => ms % size === 0) ?? ['ms', 1];
  return `${ms / unitMs}${suffix}`;
}

/** A value as written in a file; parsing it again gives the same value. */
export type PrintedValue = string | number | boolean | null | string[];

export function printValue(row: OptionRow, value: OptionValue): PrintedValue {
  if (row.kind === 'duration') return printDuration(value as number);
  if (value instanceof RegExp) return value.source;
  if (Array.isArray(value)) return value.map(({ name, pattern }) => `${name}=${pattern.source}`);
  return value;
}
