import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import { knownValue } from '../model/facts/reading.js';
import { bootId } from '../probe/processes.js';
import { readRecord } from '../store/read-record.js';
import { RunDirectory } from '../store/run-directory.js';
import type { LaunchedRun } from './start/launch-run.js';

/** A directory that looks like a run and is not taken. */
export interface SetAside {
  directory: string;
  reason: string;
  /** A read failed: it is tried again. Otherwise what is in it is none of ours, and stays so. */
  isUnread: boolean;
}

const readAtOnce = 50;
/** Whoever asked for a start that never came has asked again by then, or never will. */
const unclaimedMs = 60_000;

/**
 * Gives each run that an earlier daemon left to whoever takes it; others have their turn in between. Returns those
 * that cannot be read, or taken: one bad directory is no reason to leave the rest.
 */
export async function readRuns(
  runs: string,
  ids: readonly string[],
  take: (run: LaunchedRun) => void,
): Promise<SetAside[]> {
  const setAside: SetAside[] = [];
  for (const [index, id] of ids.entries()) {
    if (index % readAtOnce === 0) await yieldOnce();
    const directory = path.join(runs, id);
    try {
      const run = readRun(new RunDirectory(runs, id));
      if (typeof run === 'string') setAside.push({ directory, reason: run, isUnread: false });
      else if (run !== null) take(run);
    } catch (error) {
      setAside.push({ directory, reason: (error as Error).message, isUnread: true });
    }
  }
  return setAside;
}

/** null: none in the background, or one that may still be started. A string: why it cannot be read. */
function readRun(directory: RunDirectory): LaunchedRun | string | null {
  const record = readRecord(knownValue(directory.readRecord(), 'run.json'));
  if (typeof record === 'string') return record;
  const { background } = record;
  if (background === null) return null;
  if (knownValue(directory.claimed, 'claim') === 'not' && record.supervisor?.bootId === bootId()) {
    const ageMs = Date.now() - Date.parse(record.startedAt);
    // Its start may be asked for again: then it is started.
    if (ageMs >= 0 && ageMs < unclaimedMs) return null;
    directory.claim();
  }
  return { directory, record: { ...record, background }, keeper: null };
}
