import { parseDuration } from '../text/duration.js';
import { compilePattern } from '../text/outside-pattern.js';
import { printable } from '../text/printable.js';
import { nearest } from './nearest.js';
import type { NamedPattern, OptionRow, OptionValue } from './option.js';
import { printDuration } from './print-value.js';
import { type PathRules, readPath } from './read-path.js';

/** A parsed value, or what is wrong with it: the end of the sentence `NAME is VALUE, …`. */
export type Reading<T> = { value: T } | { complaint: string; hint: string };

/** Node timers end at 2^31 ms, which is 24.8 days. */
const durationMsMax = 24 * 86_400_000;
const textLengthMax = 80;
const listLengthMax = 100;

const truths = new Map<unknown, boolean>([
  ...[true, 'true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...[false, 'false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

const sizeUnits: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Files contain numbers where a command line contains text: both are parsed the same way. */
function asText(raw: unknown): string | null {
  if (typeof raw === 'string') return raw.trim();
  return typeof raw === 'number' ? String(raw) : null;
}

function readDuration(raw: unknown, minMs: number): Reading<number> {
  const text = asText(raw);
  const exactMs = text === null ? null : parseDuration(text);
  // Less than a millisecond is rounded up to 1: 0 often means never.
  const ms = exactMs === null ? null : exactMs > 0 ? Math.max(1, Math.round(exactMs)) : 0;
  if (ms !== null && ms >= minMs && ms <= durationMsMax) return { value: ms };
  return {
    complaint: `which is not a duration from ${printDuration(minMs)} to ${printDuration(durationMsMax)}`,
    hint: 'durations are written 500ms, 5s, 10m, 2h or 1d; a bare number is seconds',
  };
}

function readNumber(raw: unknown, row: OptionRow & { kind: 'number' }): Reading<number> {
  const { min, max, whole = false, unit = '' } = row;
  const text = asText(raw) ?? '';
  const bare = unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;
  const value = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return { value };
  return {
    complaint: `which is not a ${whole ? 'whole ' : ''}number from ${min} to ${max}`,
    hint: `write it like this: ${whole ? min + 1 : 0.5}`,
  };
}

function readSize(raw: unknown): Reading<number> {
  const match = /^(\d+)([kmgt]?)(?:i?b)?$/i.exec(asText(raw) ?? '');
  const bytes =
    match === null ? Number.NaN : Number(match[1]) * (sizeUnits[match[2]?.toLowerCase() ?? ''] ?? 1);
  if (Number.isSafeInteger(bytes)) return { value: bytes };
  return { complaint: 'which is not a number of bytes', hint: 'sizes are written 512, 5k, 10M or 1G' };
}

function readChoice(raw: unknown, choices: readonly string[]): Reading<string> {
  const text = asText(raw);
  const value = choices.find((choice) => choice === text?.toLowerCase());
  if (value !== undefined) return { value };
  const near = nearest(text ?? '', choices);
  return {
    complaint: `which is not one of ${choices.join(', ')}`,
    hint: near === null ? 'choose one of them' : `did you mean ${near}?`,
  };
}

function readBoolean(raw: unknown): Reading<boolean> {
  const value = truths.get(typeof raw === 'boolean' ? raw : asText(raw)?.toLowerCase());
  if (value !== undefined) return { value };
  return { complaint: 'which is neither true nor false', hint: 'also understood: 1, yes, on and 0, no, off' };
}

function readText(raw: unknown): Reading<string | null> {
  const text = raw === null ? '' : asText(raw);
  if (text === '') return { value: null };
  if (text !== null && text.length <= textLengthMax && printable(text) === text) return { value: text };
  return {
    complaint: `which is not a text of at most ${textLengthMax} characters`,
    hint: 'write one short line without control characters',
  };
}

function readRegex(raw: unknown): Reading<RegExp | null> {
  const text = raw === null ? '' : typeof raw === 'number' ? String(raw) : raw;
  if (text === '') return { value: null };
  if (typeof text !== 'string') {
    return { complaint: 'which is not a regular expression', hint: 'write it as a text: "(\\d+)/(\\d+)"' };
  }
  const regex = compilePattern(text);
  if (regex instanceof RegExp) return { value: regex };
  return { complaint: `which ${regex.refused}`, hint: regex.instead };
}

function readNamedPattern(raw: unknown): Reading<NamedPattern> {
  const match = typeof raw === 'string' ? /^([\w.-]{1,40})=(.+)$/s.exec(raw) : null;
  if (match?.[1] === undefined) {
    return {
      complaint: 'where each entry must be NAME=REGEX',
      hint: 'write it like this: link=\\b(ld|lld|mold)\\b',
    };
  }
  const reading = readRegex(match[2]);
  if ('complaint' in reading)
    return { ...reading, complaint: reading.complaint.replace(/^which/, `whose ${match[1]}`) };
  return { value: { name: match[1], pattern: reading.value as RegExp } };
}

function readList(raw: unknown): Reading<NamedPattern[]> {
  // A variable has one entry per line.
  const entries = (Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split('\n') : [raw]).filter(
    (entry) => entry !== '',
  );
  if (entries.length > listLengthMax)
    return { complaint: `which has more than ${listLengthMax} entries`, hint: 'join some with |' };
  const list: NamedPattern[] = [];
  for (const entry of entries) {
    const reading = readNamedPattern(entry);
    if ('complaint' in reading) return reading;
    list.push(reading.value);
  }
  return { value: list };
}

/** Parses a value that was typed, set as a variable or written in a file. */
export function readValue(row: OptionRow, raw: unknown, paths: PathRules): Reading<OptionValue> {
  switch (row.kind) {
    case 'duration':
      return readDuration(raw, row.minMs ?? 0);
    case 'number':
      return readNumber(raw, row);
    case 'size':
      return readSize(raw);
    case 'choice':
      return readChoice(raw, row.choices);
    case 'boolean':
      return readBoolean(raw);
    case 'text':
      return readText(raw);
    case 'path':
      return readPath(raw, paths);
    case 'regex':
      return readRegex(raw);
    case 'list':
      return readList(raw);
  }
}
