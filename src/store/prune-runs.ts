import fs from 'node:fs';
import path from 'node:path';

/** Kept runs beyond this go, oldest first: nobody shall have to clean up after us. */
const keptMax = 64;

/**
 * Removes the oldest runs that are over. A run without a report is not over, or nobody has told its story yet: it
 * is never touched.
 */
export function pruneRuns(runs: string, keepMax = keptMax): void {
  let over: { dir: string; endedMs: number }[];
  try {
    over = fs
      .readdirSync(runs)
      .filter((name) => /^run_[0-9a-f]{12}$/.test(name))
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
      // Next time.
    }
  }
}
