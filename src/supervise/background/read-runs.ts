import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import { bootId } from '../../probe/linux/identify.js';
import { readRecord } from '../../store/read-record.js';
import { RunDirectory } from '../../store/run-directory.js';
import type { LaunchedRun } from './launch-run.js';

/** A directory that looks like a run and cannot be read. */
export interface SetAside {
  directory: string;
  reason: string;
}

const readAtOnce = 50;
/** Whoever asked for a start that never came has asked again by then, or never will. */
const unclaimedMs = 60_000;

/**
 * Gives each run that an earlier daemon left to whoever takes it; others have their turn in between. Returns those
 * that cannot be read, or taken: one bad directory is no reason to leave the rest.
 */
export async function readRuns(runs: string, take: (run: LaunchedRun) => void): Promise<SetAside[]> {
  const setAside: SetAside[] = [];
  const names = fs.readdirSync(runs).filter((name) => /^run_[0-9a-f]{12}$/.test(name));
  for (const [index, name] of names.entries()) {
    if (index % readAtOnce === 0) await yieldOnce();
    try {
      const run = readRun(new RunDirectory(runs, name));
      if (typeof run === 'string') setAside.push({ directory: path.join(runs, name), reason: run });
      else if (run !== null) take(run);
    } catch (error) {
      setAside.push({ directory: path.join(runs, name), reason: (error as Error).message });
    }
  }
  return setAside;
}

/** null: none in the background, or one that may still be started. A string: why it cannot be read. */
function readRun(directory: RunDirectory): LaunchedRun | string | null {
  const record = readRecord(directory.readRecord());
  if (typeof record === 'string') return record;
  const { background } = record;
  if (background === null) return null;
  if (directory.claimed === 'not' && record.supervisor?.bootId === bootId()) {
    const ageMs = Date.now() - Date.parse(record.startedAt);
    // Its start may be asked for again: then it is started.
    if (ageMs >= 0 && ageMs < unclaimedMs) return null;
    directory.claim();
  }
  return { directory, record: { ...record, background }, keeper: null };
}
