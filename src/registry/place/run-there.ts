import { setTimeout as delay } from 'node:timers/promises';
import { PlaceRefusal } from '../../places/refusals.js';
import type { PlaceSession } from '../../places/session.js';
import { startThere } from '../../run/place/start-there.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { LaunchedRun } from '../start/launch-run.js';
import type { PreparedStart, StartRequest } from '../start/prepare-start.js';

const clearedName = 'cleared-there';
const clearAgainMsMin = 2000;
const clearAgainMsMax = 60_000;

/**
 * Starts a command in its place. Throws a Failure when it was certainly not started. When the answer was lost, the run
 * is kept: the place decides later what it is.
 */
export async function startInPlace(
  session: PlaceSession,
  { directory, record }: LaunchedRun,
  { env }: PreparedStart,
  { command, cwd }: StartRequest,
): Promise<void> {
  const there = {
    id: directory.id,
    command,
    cwd: cwd ?? null,
    env: Object.fromEntries(
      Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    streams: 1,
    input: record.background.input,
  } as const;
  await startThere(session, there);
}

/** Removes the files of an ended run from its place, once everything is here. Tried until it is done. */
export async function clearPlace(
  session: PlaceSession,
  directory: RunDirectory,
  isWanted: () => boolean,
): Promise<void> {
  const done = directory.readJson(clearedName);
  if (done.kind === 'known' && done.value === true) return;
  for (let waitMs = clearAgainMsMin; isWanted(); waitMs = Math.min(clearAgainMsMax, waitMs * 2)) {
    try {
      const { status } = await session.request(`up_remove ${directory.id}`);
      if (status === 0) {
        directory.writeWhole(clearedName, true);
        return;
      }
    } catch (error) {
      if (error instanceof PlaceRefusal && error.isGone) return;
    }
    await delay(waitMs, undefined, { ref: false });
  }
}
