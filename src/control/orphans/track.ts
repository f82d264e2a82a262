import { isAbsent } from '../../model/facts/absence.js';
import { Failure } from '../../model/failure.js';
import { readLink, readText } from '../../probe/machine.js';
import { commandLineOf, identify, programName } from '../../probe/processes.js';
import { redact } from '../../redact/redact.js';
import { RunDirectory } from '../../store/run-directory.js';
import { newRunId } from '../../store/run-ids.js';
import { printable } from '../../text/printable.js';
import type { WatchedChild } from '../watchdog/watch.js';
import { checkPid } from '../why.js';

/** Options of `track`. */
export interface TrackOptions {
  /** Name in `unstuck orphans`; default: the name of the program. */
  label?: string | undefined;
}

/** A process that `unstuck orphans` knows. */
export interface Tracked {
  readonly id: string;
  /** Forgets the process. It goes on. */
  stop(): void;
}

/**
 * Makes a process that this program started known to `unstuck orphans`: if it outlives this program, it is a confirmed
 * orphan. When a child ends, it is forgotten by itself. Throws a Failure when the process does not exist or the state
 * directory cannot be written.
 */
export function track(target: number | WatchedChild, { label }: TrackOptions = {}): Tracked {
  const pid = checkPid(typeof target === 'number' ? target : (target?.pid ?? Number.NaN));
  const identity = identify(pid);
  const stat = readText(`/proc/${pid}/stat`);
  if (identity === null || isAbsent(stat)) {
    throw new Failure(
      'no-such-process',
      `there is no process ${pid}`,
      'track a process right after its start',
    );
  }
  const cwd = readLink(`/proc/${pid}/cwd`);
  const id = newRunId();
  const directory = RunDirectory.create(id, null);
  try {
    directory.writeLeader(stat);
    directory.writeRecord({
      version: 1,
      id,
      label: redact(printable(label ?? programName(pid) ?? String(pid))),
      command: redact(commandLineOf(pid) ?? String(pid)),
      cwd: isAbsent(cwd) ? process.cwd() : cwd,
      startedAt: new Date().toISOString(),
      identity,
      supervisor: identify(process.pid),
      logs: [],
      background: null,
      tracked: true,
    });
  } catch (error) {
    directory.remove();
    throw error;
  }
  const stop = () => {
    if (directory.exists) directory.remove();
  };
  if (typeof target === 'object') target.once?.('exit', stop);
  return { id, stop };
}
