import fs from 'node:fs';
import { Failure } from '../../model/failure.js';
import { findPlace } from '../../places/find-place.js';
import { Place } from '../../places/place.js';
import { PlaceSession } from '../../places/session.js';
import { commandIn } from '../../places/words-in.js';
import { ForegroundRun } from '../../run/foreground/foreground-run.js';
import { RunInput } from '../../run/input/run-input.js';
import { PlacePump } from '../../run/place/place-pump.js';
import { startThere } from '../../run/place/start-there.js';
import { commandEnv } from '../../run/prepare.js';
import { newRunId } from '../../store/run-ids.js';
import { commandOfBytes } from '../command-of-bytes.js';
import type { RunHandle, RunRequest } from '../run.js';
import { onInput } from './own-input.js';

/** A signal ended the start. */
export class InterruptedStart extends Failure {
  readonly signal: NodeJS.Signals;

  constructor(place: Place, signal: NodeJS.Signals, wasReached: boolean) {
    const what = wasReached ? 'the command may have been started' : 'nothing was started';
    const look = `look there before you start it again: ${commandIn(place.address, 'ps')}`;
    super(
      'no-place',
      `${signal} during the start in ${place.name}; ${what}`,
      wasReached ? look : 'try again',
    );
    this.signal = signal;
  }
}

/**
 * Starts a command in another place, and follows it as if it were here. Throws a Failure when it cannot be started. `abort`:
 * ends the start, with the signal that asks for it as its reason.
 */
export async function startRunThere(
  on: string,
  request: RunRequest,
  abort?: AbortSignal,
): Promise<RunHandle> {
  const { settings, streams, stdin } = request;
  const { inherited } = request;
  const { command } = (inherited && commandOfBytes(request.command, inherited)) ?? request;
  const place = new Place(findPlace(on, process.env));
  const session = new PlaceSession(place);
  const id = newRunId();
  const input = stdin === null || isNull(stdin) ? 'none' : 'pipe';
  const quiet = commandEnv({}, settings.quietEnv) as Record<string, string>;
  let wasReached = false;
  abort?.addEventListener('abort', () => session.close());
  try {
    await session.ready();
    wasReached = true;
    const there = { id, command, cwd: null, env: quiet, streams, input } as const;
    const isStarted = await startThere(session, there, abort);
    abort?.throwIfAborted();
    if (!isStarted) {
      throw new Failure(
        'no-place',
        `the connection to ${place.name} broke during the start; the command may have been started`,
        `look there before you start it again: ${commandIn(place.address, 'ps')}`,
      );
    }
    const run = new ForegroundRun({ ...request, cwd: `${place.name}:~`, there: { id, session } });
    const stopInput = input === 'none' ? () => {} : feed(session, run, stdin as number);
    const done = run.done.finally(async () => {
      stopInput();
      await session.request(`up_remove ${id}`).catch(() => {});
      session.close();
    });
    return handleOf(run, done);
  } catch (error) {
    session.close();
    if (abort?.aborted) throw new InterruptedStart(place, abort.reason, wasReached);
    throw error;
  }
}

function handleOf(run: ForegroundRun, done: RunHandle['done']): RunHandle {
  return {
    id: run.id,
    label: run.label,
    done,
    interrupt: (signal, insists) => run.interrupt(signal, insists),
    pass: (signal) => run.pass(signal),
    pause: () => run.pause(),
    pulse: () => run.pulse(),
  };
}

function isNull(fd: number): boolean {
  try {
    return fs.fstatSync(fd).rdev === fs.statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

/** Passes our own input on to the command. Returns a function that stops this. */
function feed(session: PlaceSession, run: ForegroundRun, fd: number): () => void {
  const { directory } = run;
  if (directory === null)
    throw new Failure('cannot-write', 'the input cannot be kept', 'free some disk space');
  RunInput.prepare(directory);
  let hasEnded = false;
  const pump = new PlacePump({ session, directory, hasEnded: () => hasEnded });
  const target = new RunInput(directory, 'pipe', pump);
  let count = 0;
  const stop = onInput(fd, {
    async take(chunk, signal) {
      count += 1;
      const { end } = target.write(chunk, `input-${count}`);
      await target.awaitDelivered(end, { timeoutMs: Number.POSITIVE_INFINITY, signal });
    },
    end: () => void target.close('input-end'),
  });
  return () => {
    hasEnded = true;
    stop();
    target.forget();
  };
}
