import fs from 'node:fs';
import { type Reading, readingOf } from '../model/facts/reading.js';
import { runIdPattern } from '../model/run/run-id.js';

/** `run_` and 12 hex digits. */
export function newRunId(): string {
  const bytes = Buffer.alloc(6);
  // Loading node:crypto for six bytes takes longer than many commands run.
  const random = fs.openSync('/dev/urandom', 'r');
  fs.readSync(random, bytes);
  fs.closeSync(random);
  return `run_${bytes.toString('hex')}`;
}

/** Ids of all runs in a directory; a missing directory has none. */
export function listRuns(runs: string): Reading<string[]> {
  return readingOf(() => fs.readdirSync(runs).filter((name) => runIdPattern.test(name)), []);
}
