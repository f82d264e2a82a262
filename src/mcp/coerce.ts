import type * as z from 'zod/mini';
import { parseDuration } from '../text/duration.js';
import { jsonOr } from '../text/parse-json.js';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

/**
 * The value in the type of the schema, where the meaning is clear: `"5"` is 5, `"true"` is true, `"[\"a\"]"` and `"a"` are
 * lists. Anything else stays as it is, for the schema to refuse.
 */
export function coerce(schema: Schema, value: unknown, field = ''): unknown {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'optional':
    case 'default':
      return coerce(def.innerType, value, field);
    case 'string':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : firstOfOne(value, field);
    case 'number':
      return typeof value === 'string' ? toNumber(value, field) : value;
    case 'boolean':
      return toBoolean(value);
    case 'enum':
      return typeof value === 'string' ? toChoice(value, Object.values(def.entries).map(String)) : value;
    case 'array':
      return toList(value, def.element);
    case 'record':
      return toRecord(value, def.valueType);
    // A command: a line, or a list that was sent as a text.
    case 'union':
      return typeof value === 'string' ? (stringsIn(value) ?? value) : value;
    default:
      return value;
  }
}

/** A list of one id is that id. */
function firstOfOne(value: unknown, field: string): unknown {
  const isOne = field === 'id' && Array.isArray(value) && value.length === 1;
  const only: unknown = isOne ? value[0] : value;
  return isOne && typeof only === 'number' ? String(only) : only;
}

/** Fields that end with S are seconds: they take `30s` and `2m` as well. */
function toNumber(text: string, field: string): unknown {
  if (/^\s*-?\d+(?:\.\d+)?\s*$/.test(text)) return Number(text);
  const ms = field.endsWith('S') ? parseDuration(text) : null;
  return ms === null ? text : ms / 1000;
}

function toBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : value;
}

/** `Needs_Input` is `needs-input`. */
function toChoice(text: string, choices: readonly string[]): string {
  const bare = (word: string) => word.trim().toLowerCase().replace(/[-_ ]/g, '');
  return choices.find((choice) => bare(choice) === bare(text)) ?? text;
}

function toList(value: unknown, element: Schema): unknown {
  const isChoice = (element._zod.def as Def).type === 'enum';
  const split = (text: string) => (isChoice ? text.split(/[\s,|]+/).filter(Boolean) : [text]);
  const entries =
    typeof value === 'string'
      ? (stringsIn(value) ?? split(value))
      : typeof value === 'number'
        ? [value]
        : value;
  return Array.isArray(entries) ? entries.map((entry) => coerce(element, entry)) : entries;
}

function toRecord(value: unknown, valueType: Schema): unknown {
  const record = typeof value === 'string' && value.trim().startsWith('{') ? jsonOr(value, undefined) : value;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return value;
  const text = (entry: unknown) => (typeof entry === 'boolean' ? String(entry) : coerce(valueType, entry));
  return Object.fromEntries(Object.entries(record).map(([name, entry]) => [name, text(entry)]));
}

/** A JSON list of texts or numbers that was sent as a text. */
function stringsIn(text: string): string[] | null {
  if (!/^\s*\[/.test(text)) return null;
  const list = jsonOr(text, undefined);
  const isPlain = (entry: unknown) => typeof entry === 'string' || typeof entry === 'number';
  return Array.isArray(list) && list.every(isPlain) ? list.map(String) : null;
}
