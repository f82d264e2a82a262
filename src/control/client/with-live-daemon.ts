import { onAbort } from '../../model/own-signal.js';
import { greet } from './greet.js';
import { reachMsMax } from './reach-daemon.js';

/** How often a daemon is asked whether it is still there while it works on an answer. */
const everyMs = 10_000;

/**
 * An answer may take as long as a command does, so there is no limit that fits. But a daemon that works also says
 * hello; one that is stopped or stuck does not, and ends the call with a Failure.
 */
export async function withLiveDaemon<T>(
  home: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const letGo = onAbort(signal, () => either.abort(signal?.reason));
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
    letGo();
    either.abort();
  }
}
