import fs from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { knownValue } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import { faultWords } from '../../model/fault-words.js';
import type { RunLog } from '../../model/run/run.js';
import { identify } from '../../probe/processes.js';
import { launchBackground } from '../../run/launch/launch-background.js';
import { logHeader } from '../../run/prepare.js';
import { makeDirectory } from '../../store/make-directory.js';
import { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundRunRecord } from '../background-run.js';
import type { PreparedStart } from './prepare-start.js';

/** Where directories are made, so that nobody ever sees half of one. */
const drafts = '.drafts';

export interface LaunchedRun {
  directory: RunDirectory;
  record: BackgroundRunRecord;
  /** The shim; null: it was started by another daemon. */
  keeper: number | null;
}

interface MadeRun extends Omit<LaunchedRun, 'keeper'> {
  log: RunLog;
}

/** Starts a command under a directory of its own in `runs`. Throws a Failure, and then nothing is left of it. */
export function launchRun(runs: string, id: string, prepared: PreparedStart): LaunchedRun {
  const { argv, env, umask, openFiles, cwd, background } = prepared;
  removeUnstarted(runs, id);
  const { directory, record, log } = makeRun(runs, id, prepared);
  try {
    const { input } = background;
    const about = { id, command: argv, cwd, env, umask, openFiles };
    const { keeper } = launchBackground({ ...about, directory, log, input });
    return { directory, record, keeper };
  } catch (error) {
    // Not if a shim has it: then it was started all the same.
    if (!isTakenBack(directory, error)) return { directory, record, keeper: null };
    directory.remove();
    throw error;
  }
}

/** Whether no shim has it, nor ever will. Throws the error of the start when that cannot be told. */
function isTakenBack(directory: RunDirectory, error: unknown): boolean {
  try {
    return directory.claim();
  } catch {
    throw error;
  }
}

/** First out of sight: nobody ever reads what is left of a directory that is being removed. */
export function discardRun(runs: string, directory: RunDirectory): void {
  const hidden = new RunDirectory(path.join(runs, drafts), directory.id);
  try {
    makeDirectory(path.dirname(hidden.path), 0o700);
    fs.renameSync(directory.path, hidden.path);
    hidden.remove();
  } catch {
    directory.remove();
  }
}

/** What a daemon left that was killed while it made or removed them. */
export function removeDrafts(runs: string): void {
  fs.rmSync(path.join(runs, drafts), { recursive: true, force: true });
}

/** A directory that a daemon made before it was killed: the same request is here again. */
function removeUnstarted(runs: string, id: string): void {
  const left = new RunDirectory(runs, id);
  if (!fs.existsSync(left.path)) return;
  if (knownValue(left.claimed, 'claim') !== 'not') {
    throw new Failure('cannot-start', `${left.path} is in the way`, 'start it once more');
  }
  left.remove();
}

function makeRun(runs: string, id: string, prepared: PreparedStart): MadeRun {
  const place = path.join(runs, drafts);
  const draft = new RunDirectory(place, id);
  try {
    makeDirectory(place, 0o700);
    if (fs.existsSync(draft.path)) draft.remove();
    return fillDraft(RunDirectory.create(id, place), runs, prepared);
  } catch (error) {
    draft.remove();
    const { what, hint } = faultWords(error);
    throw new Failure('cannot-write', `the run cannot be kept: ${what}`, hint, { cause: error });
  }
}

/** Without it nothing could ever be proven of the run. */
function ourIdentity(): ProcessIdentity {
  const identity = identify(process.pid);
  if (identity !== null && identity.bootId !== '') return identity;
  throw new Failure('cannot-read', '/proc cannot be read', 'try again in a moment');
}

function fillDraft(draft: RunDirectory, runs: string, prepared: PreparedStart): MadeRun {
  const { cwd, label, shown, background } = prepared;
  const { id } = draft;
  const startedAt = new Date().toISOString();
  const log = draft.createLog('output.log', 'both', logHeader(shown, cwd, startedAt));
  const about = { id, label, command: shown, cwd, startedAt, logs: [log], background };
  const record = { version: 1, ...about, identity: null, supervisor: ourIdentity() } as const;
  draft.writeRecord(record);
  const directory = new RunDirectory(runs, id);
  fs.renameSync(draft.path, directory.path);
  return { directory, record, log };
}
