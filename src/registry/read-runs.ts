import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import { knownValue } from '../model/facts/reading.js';
import { bootId } from '../probe/processes.js';
import { recoverRun } from '../run/history/recover-runs.js';
import { readRecord } from '../store/read-record.js';
import { RunDirectory } from '../store/run-directory.js';
import type { LaunchedRun } from './start/launch-run.js';

/** A directory that resembles a run and is not adopted. */
export interface SetAside {
  directory: string;
  reason: string;
  /** A read failed, and is tried again. Otherwise the directory is not a run, and stays so. */
  isUnread: boolean;
}

const readAtOnce = 50;
const againMs = 1000;
/** After this time, the client of a start that never happened has repeated its request, or never will. */
const unclaimedMs = 60_000;

/** Adopts the runs that an earlier daemon left. Those that could not be read are tried again until they can be. */
export class Adoption {
  setAside: readonly SetAside[] = [];
  readonly #runs: string;
  readonly #take: (run: LaunchedRun) => void;
  #again: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(runs: string, take: (run: LaunchedRun) => void) {
    this.#runs = runs;
    this.#take = take;
  }

  async adopt(ids: readonly string[]): Promise<void> {
    const tried = new Set(ids);
    const unread = await readRuns(this.#runs, ids, this.#take);
    const others = this.setAside.filter(({ directory }) => !tried.has(path.basename(directory)));
    this.setAside = [...others, ...unread];
    const again = unread.filter(({ isUnread }) => isUnread).map(({ directory }) => path.basename(directory));
    if (again.length === 0 || this.#isClosed) return;
    this.#again = setTimeout(() => void this.adopt(again), againMs).unref();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#again !== null) clearTimeout(this.#again);
  }
}

/**
 * Passes each run that an earlier daemon left to the callback, and yields in between. Returns the runs that cannot be
 * read or adopted. A bad directory does not keep the rest from being adopted.
 */
async function readRuns(
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

/** null: not a background run, or a run that may still be started. A string: why it cannot be read. */
function readRun(directory: RunDirectory): LaunchedRun | string | null {
  const record = readRecord(knownValue(directory.readRecord(), 'run.json'));
  if (typeof record === 'string') return record;
  const { background } = record;
  if (background === null) {
    recoverRun(directory, record);
    return null;
  }
  if (knownValue(directory.claimed, 'claim') === 'not' && record.supervisor?.bootId === bootId()) {
    const ageMs = Date.now() - Date.parse(record.startedAt);
    // Its start may be requested again, and then it is started.
    if (ageMs >= 0 && ageMs < unclaimedMs) return null;
    directory.claim();
  }
  return { directory, record: { ...record, background }, shim: null };
}
