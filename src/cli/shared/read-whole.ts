import { Failure } from '../../model/failure.js';

/** Parses a whole number given for an option. */
export function readWhole(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Failure(
    'bad-input',
    `${option} is ${JSON.stringify(text)}, which is not a whole number from ${min} to ${max}`,
    `write it like this: ${option} ${Math.max(min, Math.min(max, 500))}`,
  );
}
