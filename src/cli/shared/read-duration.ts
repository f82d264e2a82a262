import { printDuration } from '../../config/print-value.js';
import { Failure } from '../../model/failure.js';
import { parseDuration } from '../../text/duration.js';

/** Parses a duration given for an option, in milliseconds. */
export function readDuration(option: string, text: string, minMs: number, maxMs: number): number {
  const ms = parseDuration(text);
  if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
  throw new Failure(
    'bad-input',
    `${option} is ${JSON.stringify(text)}, which is not a duration from ${printDuration(minMs)} to ${printDuration(maxMs)}`,
    `write it like this: ${option} 500ms, ${option} 2s, ${option} 1m`,
  );
}
