import { knownValue, mapReading } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import type { Tree } from '../run/health/tree.js';
import type { RunDirectory } from '../store/run-directory.js';

/** The processes that got a signal. */
export interface Signalled {
  signal: NodeJS.Signals;
  pids: number[];
}

interface Sent extends Signalled {
  requestId: string;
}

const fileName = 'signal.json';

/** Sends a signal to the command, its session or its whole tree, by the kind of signal. At most once per request. */
export async function signalRun(
  directory: RunDirectory,
  tree: Tree,
  { signal, requestId }: { signal: NodeJS.Signals; requestId: string },
): Promise<Signalled> {
  const before = lastSignal(directory);
  if (before?.requestId === requestId) return before;
  keep(directory, { requestId, signal, pids: [] });
  const pids = await tree.forward(signal);
  if (pids.length === 0) {
    const hint = 'see what it does: unstuck ps';
    throw new Failure('cannot-read', `no process of ${directory.id} could be signalled`, hint);
  }
  keep(directory, { requestId, signal, pids });
  return { signal, pids };
}

/** The last signal that was requested; null: none. */
export function lastSignal(directory: RunDirectory): Sent | null {
  return knownValue(mapReading(directory.readJson(fileName), parse), 'which signals it got');
}

function parse(content: unknown): Sent | null {
  const { requestId, signal, pids } = (content ?? {}) as Partial<Sent>;
  if (typeof requestId !== 'string' || typeof signal !== 'string' || !Array.isArray(pids)) return null;
  return { requestId, signal, pids: pids.filter(Number.isInteger) };
}

/** Stored before the signal: a repeated request after a crash must not send it again. */
function keep(directory: RunDirectory, sent: Sent): void {
  try {
    directory.writeWhole(fileName, sent);
  } catch (cause) {
    if (sent.pids.length > 0) return;
    throw new Failure('cannot-write', 'the signal cannot be recorded', 'free some disk space', { cause });
  }
}
