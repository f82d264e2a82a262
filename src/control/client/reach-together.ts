import { onAbort } from '../../model/own-signal.js';
import { greet } from './greet.js';
import { reachDaemon, reachMsMax } from './reach-daemon.js';

/** How often the daemon is checked while it works on an answer. */
const everyMs = 10_000;

/**
 * An answer may take as long as a command, so no time limit fits. But a working daemon also answers hello. A daemon
 * that is stopped or stuck does not, and the call ends with a Failure.
 */
export async function withLiveDaemon<T>(
  home: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const release = onAbort(signal, () => either.abort(signal?.reason));
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    greet(home, reachMsMax, { signal: either.signal })
      .catch((error) => either.abort(error))
      .finally(() => {
        isAsking = false;
      });
  }, everyMs);
  try {
    return await work(either.signal);
  } finally {
    clearInterval(timer);
    release();
    either.abort();
  }
}

interface Attempt {
  reached: Promise<unknown>;
  /** Aborted when no caller waits for it any more. */
  stop: AbortController;
  waiting: number;
}

const attempts = new Map<string, Attempt>();

/** Concurrent calls that find no daemon start one together. */
export async function reachTogether(
  home: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  const attempt = attempts.get(home) ?? begin(home, env);
  attempt.waiting += 1;
  let giveUp: (reason: unknown) => void = () => {};
  const gaveUp = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const release = onAbort(signal, () => giveUp(signal?.reason));
  try {
    await Promise.race([attempt.reached, gaveUp]);
  } finally {
    release();
    attempt.waiting -= 1;
    if (attempt.waiting === 0) attempt.stop.abort();
  }
}

function begin(home: string, env: NodeJS.ProcessEnv): Attempt {
  const stop = new AbortController();
  const reached = reachDaemon(home, { env, signal: stop.signal }).finally(() => attempts.delete(home));
  // Callers get the error through the race; there may be none left.
  reached.catch(() => {});
  const attempt = { reached, stop, waiting: 0 };
  attempts.set(home, attempt);
  return attempt;
}
