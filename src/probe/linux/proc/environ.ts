import { runIdPattern } from '../../../model/run/run-id.js';

/** The innermost run, and all runs a process is part of. */
const idKey = Buffer.from('UNSTUCK_RUN_ID=');
const chainKey = Buffer.from('UNSTUCK_RUN_CHAIN=');

/** The value of a variable; `key` ends with the `=`. null: the variable is not set. */
export function entryOf(environ: Buffer, key: Buffer): string | null {
  for (let at = environ.indexOf(key); at >= 0; at = environ.indexOf(key, at + 1)) {
    // Only at the start of an entry: X_UNSTUCK_RUN_ID is another variable.
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString('latin1', at + key.length, end < 0 ? environ.length : end);
  }
  return null;
}

/** Only the run id is ever taken out of an environment; nothing else of it is kept or shown. */
export function runIdIn(environ: Buffer): string | null {
  const id = entryOf(environ, idKey);
  return id !== null && runIdPattern.test(id) ? id : null;
}

/** All runs that an environment names: a run inside a run belongs to both. */
export function runIdsIn(environ: Buffer): string[] {
  const chain = entryOf(environ, chainKey)?.split(':') ?? [];
  const ids = new Set([runIdIn(environ), ...chain]);
  return [...ids].filter((id): id is string => id !== null && runIdPattern.test(id));
}
