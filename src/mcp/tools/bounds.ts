import * as z from 'zod/mini';
import { type OptionKey, options } from '../../config/options.js';
import { Failure } from '../../model/failure.js';
import { parseDuration } from '../../text/duration.js';

/** Options of a run that a model may set, with what a model needs to know. */
const described = {
  timeout: 'Stop it after this time, such as 10m',
  idleTimeout: 'Stop it when it printed nothing for this time',
  killOn: 'Stop it when it is stuck with at least this confidence; default never',
  killStuck: 'When a part of it is proven stuck: stop that part, or all of it; default never',
  expectOutputEvery: 'Report it when it printed nothing for this time',
  expectDoneIn: 'Report it when it runs longer than this',
} as const satisfies Partial<Record<OptionKey, string>>;

type BoundKey = keyof typeof described;

const keys = Object.keys(described) as BoundKey[];

/** `10m`; a number is read as seconds. */
export const duration = z.optional(z.string().check(z.maxLength(20)));

function schemaOf(key: BoundKey): z.ZodMiniOptional {
  const row = options.find((one) => one.key === key);
  return row?.kind === 'choice' ? z.optional(z.enum(row.choices as [string])) : duration;
}

/** The values are checked like flags, by the operation. */
export const bounds = {
  shape: Object.fromEntries(keys.map((key) => [key, schemaOf(key)])) as Record<BoundKey, typeof duration>,
  fields: described,
  of: (input: Partial<Record<BoundKey, string | undefined>>) =>
    Object.fromEntries(keys.map((key) => [key, input[key]])),
};

const everySMax = 86_400;

/** Throws a Failure for a text that is not a duration. */
export function secondsIn(field: string, text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = parseDuration(text);
  if (ms !== null && ms <= everySMax * 1000) return ms / 1000;
  throw new Failure('bad-input', `start: ${field} must be a time of at most a day`, 'such as 30s, 5m or 2h');
}
