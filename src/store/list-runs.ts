import fs from 'node:fs';
import { type Reading, readingOf } from '../model/facts/reading.js';

const idPattern = /^run_[0-9a-f]{12}$/;

/** Ids of all runs in a directory; a missing directory has none. */
export function listRuns(runs: string): Reading<string[]> {
  return readingOf(() => fs.readdirSync(runs).filter((name) => idPattern.test(name)), []);
}
