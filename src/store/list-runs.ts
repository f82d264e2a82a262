import fs from 'node:fs';

const idPattern = /^run_[0-9a-f]{12}$/;

/** The ids of all runs that are kept in a directory; one that is not there has none. */
export function listRuns(runs: string): string[] {
  try {
    return fs.readdirSync(runs).filter((name) => idPattern.test(name));
  } catch {
    return [];
  }
}
