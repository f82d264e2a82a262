import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { faultWords, knownValue } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import type { BackgroundRecord } from '../../model/run/background.js';
import type { RunLog, RunRecord } from '../../model/run/run.js';
import { identify } from '../../probe/processes.js';
import { RunInput } from '../../run/input/run-input.js';
import { launchBackground } from '../../run/launch/launch-background.js';
import { logHeader } from '../../run/prepare.js';
import { makeDirectory } from '../../store/files.js';
import { RunDirectory } from '../../store/run-directory.js';
import { keepRequest } from './kept-request.js';
import type { PreparedStart, StartRequest } from './prepare-start.js';

/** Where directories are made, so that no reader ever sees an incomplete run. */
const drafts = '.drafts';

export interface BackgroundRunRecord extends RunRecord {
  background: BackgroundRecord;
}

export interface LaunchedRun {
  directory: RunDirectory;
  record: BackgroundRunRecord;
  /** The shim; null: another daemon started it. */
  shim: number | null;
}

interface MadeRun extends Omit<LaunchedRun, 'shim'> {
  log: RunLog;
}

/**
 * The id of the run that a request starts, the same for a repeated request. A client may choose its request ids, and a
 * daemon with another state home may get the same request id. An id in an environment proves which run a process
 * belongs to, so the state home is part of the id. The directory `runs` must exist.
 */
export function runIdOf(runs: string, requestId: string): string {
  const { ino } = fs.statSync(runs);
  const digest = createHash('sha256')
    .update(`${fs.realpathSync.native(runs)}\0${ino}\0${requestId}`)
    .digest('hex');
  return `run_${digest.slice(0, 12)}`;
}

/** Starts a command with its own directory in `runs`. Throws a Failure, and then leaves nothing behind. */
export function launchRun(
  runs: string,
  id: string,
  prepared: PreparedStart,
  request: StartRequest,
): LaunchedRun {
  const { argv, env, umask, openFiles, cwd, background } = prepared;
  removeUnstarted(runs, id);
  const { directory, record, log } = makeRun(runs, id, prepared, request);
  try {
    const { input } = background;
    const about = { id, command: argv, cwd, env, umask, openFiles };
    const { shim } = launchBackground({ ...about, directory, log, input });
    return { directory, record, shim };
  } catch (error) {
    // If a shim has claimed the run, it was started despite the error.
    if (!isTakenBack(directory, error)) return { directory, record, shim: null };
    directory.remove();
    throw error;
  }
}

export function neverStarted(): Failure {
  return new Failure(
    'cannot-start',
    'the shell that starts the command ended before it could do so',
    'are there too many processes (ulimit -u), or is the disk full?',
  );
}

/** Makes the directory of a run whose command is started in another place. */
export function layRun(
  runs: string,
  id: string,
  prepared: PreparedStart,
  request: StartRequest,
): LaunchedRun {
  removeUnstarted(runs, id);
  const { directory, record } = makeRun(runs, id, prepared, request);
  if (record.background.input !== 'none') RunInput.prepare(directory);
  return { directory, record, shim: null };
}

/** Whether no shim has the run, nor ever will. Throws the error of the start when that is not known. */
function isTakenBack(directory: RunDirectory, error: unknown): boolean {
  try {
    return directory.claim();
  } catch {
    throw error;
  }
}

/** The directory is moved out of `runs` first, so that a half removed run is never read. */
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

/** Removes what a daemon left that was killed while it made or removed directories. */
export function removeDrafts(runs: string): void {
  fs.rmSync(path.join(runs, drafts), { recursive: true, force: true });
}

/** Removes a directory that a killed daemon made for the same request. */
function removeUnstarted(runs: string, id: string): void {
  const left = new RunDirectory(runs, id);
  if (!fs.existsSync(left.path)) return;
  if (knownValue(left.claimed, 'claim') !== 'not') {
    throw new Failure('cannot-start', `${left.path} is in the way`, 'start it once more');
  }
  left.remove();
}

function makeRun(runs: string, id: string, prepared: PreparedStart, request: StartRequest): MadeRun {
  const place = path.join(runs, drafts);
  const draft = new RunDirectory(place, id);
  try {
    if (fs.existsSync(draft.path)) draft.remove();
    return fillDraft(RunDirectory.create(id, place), runs, prepared, request);
  } catch (error) {
    draft.remove();
    const { what, hint } = faultWords(error);
    throw new Failure('cannot-write', `the run cannot be kept: ${what}`, hint, { cause: error });
  }
}

/** Without its own identity, the daemon could prove nothing about the run. */
function ourIdentity(): ProcessIdentity {
  const identity = identify(process.pid);
  if (identity !== null && identity.bootId !== '') return identity;
  throw new Failure('cannot-read', '/proc cannot be read', 'try again in a moment');
}

/** The first attempt of a chain gives the chain its name. */
function restartOf({ restart, inChain }: StartRequest, id: string): Pick<BackgroundRecord, 'restart'> {
  if (restart === undefined) return {};
  const { on, max, delayS } = restart;
  const place = inChain ?? { chain: id, attempt: 1, failures: 0 };
  return { restart: { on, max, delayMs: Math.round(delayS * 1000), ...place } };
}

function fillDraft(
  draft: RunDirectory,
  runs: string,
  prepared: PreparedStart,
  request: StartRequest,
): MadeRun {
  const { cwd, label, shown } = prepared;
  const { id } = draft;
  const background = { ...prepared.background, ...restartOf(request, id) };
  const startedAt = new Date().toISOString();
  const log = draft.createLog('output.log', 'both', logHeader(shown, cwd, startedAt));
  const about = { id, label, command: shown, cwd, startedAt, logs: [log], background };
  const record = { version: 1, ...about, identity: null, supervisor: ourIdentity() } as const;
  draft.writeRecord(record);
  keepRequest(draft, request);
  const directory = new RunDirectory(runs, id);
  fs.renameSync(draft.path, directory.path);
  return { directory, record, log };
}
