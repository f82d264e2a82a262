import type * as z from 'zod/mini';
import { Failure } from '../model/failure.js';
import { coerce } from './coerce.js';

/** Names that models use for a field; other spellings, such as `idle_timeout`, need no entry. */
const aliases: Record<string, readonly string[]> = {
  id: ['runId', 'sessionId', 'session', 'run', 'processId'],
  ids: ['runIds', 'sessionIds'],
  command: ['cmd'],
  cwd: ['workdir', 'workingDirectory', 'directory'],
  label: ['name', 'description'],
  data: ['input', 'text', 'chars'],
  waitS: ['yieldTime'],
};

/** Units at the end of a name, in seconds. */
const units: readonly [ending: RegExp, seconds: number][] = [
  [/(?:Ms|Millis|Milliseconds)$/, 0.001],
  [/(?:S|Sec|Secs|Seconds)$/, 1],
  [/(?:Min|Mins|Minutes)$/, 60],
];

/** What a client sent, with the names and types of the schema where the meaning is clear. Null is the same as absent. */
export function lenientInput(
  tool: string,
  shape: z.ZodMiniObject['shape'],
  given: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.keys(shape);
  const read = new Map<string, { key: string; value: unknown }>();
  for (const [key, raw] of Object.entries(given)) {
    if (raw === null || raw === undefined) continue;
    const { field, seconds } = fieldOf(key, raw, fields);
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    const value = schema === undefined ? raw : coerce(schema, inSeconds(raw, seconds), field);
    const before = read.get(field);
    if (before !== undefined && JSON.stringify(before.value) !== JSON.stringify(value)) {
      const keys = `${before.key} and ${key}`.slice(0, 100);
      throw new Failure('bad-input', `${tool}: ${keys} mean the same and differ`, `give only ${field}`);
    }
    read.set(field, { key, value });
  }
  return Object.fromEntries([...read].map(([field, { value }]) => [field, value]));
}

/** Several runs in `id` are `ids`. */
function fieldOf(key: string, raw: unknown, fields: readonly string[]): { field: string; seconds: number } {
  const meant = fieldFor(key, fields);
  const isSeveral = meant.field === 'id' && Array.isArray(raw) && raw.length > 1 && fields.includes('ids');
  return isSeveral ? { ...meant, field: 'ids' } : meant;
}

/** The field that a name means; a name without a meaning stays as it is. */
function fieldFor(key: string, fields: readonly string[]): { field: string; seconds: number } {
  if (fields.includes(key)) return { field: key, seconds: 1 };
  const name = camelCase(key);
  const ways = [{ name, seconds: 1 }, ...withoutUnit(name)];
  for (const { name: bare, seconds } of ways) {
    const field = fields.find((one) => one === bare || one === `${bare}S` || aliases[one]?.includes(bare));
    if (field !== undefined) return { field, seconds };
  }
  return { field: key, seconds: 1 };
}

function withoutUnit(name: string): { name: string; seconds: number }[] {
  return units.flatMap(([ending, seconds]) => {
    const bare = name.replace(ending, '');
    return bare === name || bare === '' ? [] : [{ name: bare, seconds }];
  });
}

function inSeconds(value: unknown, seconds: number): unknown {
  if (seconds === 1) return value;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number * seconds : value;
}

/** `idle_timeout` and `idle-timeout` are `idleTimeout`. */
function camelCase(key: string): string {
  const words = key
    .slice(0, 60)
    .split(/[-_\s]+/)
    .filter(Boolean);
  return words.map((word, at) => (at === 0 ? lowerFirst(word) : upperFirst(word))).join('');
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
