import fs from 'node:fs';
import path from 'node:path';
import { runIdPattern } from '../model/run/run-id.js';

/** More runs than this are removed, oldest first. */
const keptMax = 64;

/**
 * Removes the oldest finished runs. A run without a report has not finished or is not reported yet, and is never
 * touched.
 */
export function pruneRuns(runs: string, keepMax = keptMax): void {
  let over: { dir: string; endedMs: number }[];
  try {
    over = fs
      .readdirSync(runs)
      .filter((name) => runIdPattern.test(name))
      .flatMap((name) => {
        const dir = path.join(runs, name);
        const report = fs.statSync(path.join(dir, 'report.json'), { throwIfNoEntry: false });
        return report === undefined ? [] : [{ dir, endedMs: report.mtimeMs }];
      });
  } catch {
    return;
  }
  const spare = over.sort((a, b) => b.endedMs - a.endedMs).slice(keepMax);
  for (const { dir } of spare) {
    try {
      fs.rmSync(dir, { recursive: true, force: true });
    } catch {
      // Tried again next time.
    }
  }
}
