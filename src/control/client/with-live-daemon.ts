import { onAbort } from '../../model/own-signal.js';
import { greet } from './greet.js';
import { reachMsMax } from './reach-daemon.js';

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
