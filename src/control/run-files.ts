import fs from 'node:fs';
import path from 'node:path';
import { RunDirectory } from '../store/run-directory.js';
import { stateHome } from '../store/state-home.js';

export { readTrimmed } from '../store/trimmed.js';

export interface KnownRun {
  id: string;
  label: string;
  hasEnded: boolean;
}

/** More is not offered: whoever completes an id wants to see them at a glance. */
const runsMax = 200;

/** Runs in the background as they are on disk: for whoever must not wait for a daemon, or start one. */
export function knownRuns(env: NodeJS.ProcessEnv = process.env): KnownRun[] {
  const runs = path.join(stateHome(env), 'runs');
  return names(runs).flatMap((id) => {
    const directory = new RunDirectory(runs, id);
    const record = directory.readRecord() as { label?: unknown; background?: unknown } | null;
    if (typeof record?.label !== 'string' || !record.background) return [];
    return [{ id, label: record.label, hasEnded: directory.readExit() !== null }];
  });
}

function names(runs: string): string[] {
  try {
    return fs
      .readdirSync(runs)
      .filter((name) => /^run_[0-9a-f]{12}$/.test(name))
      .slice(0, runsMax);
  } catch {
    return [];
  }
}
