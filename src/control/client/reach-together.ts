import { onAbort } from '../../model/own-signal.js';
import { reachDaemon } from './reach-daemon.js';

interface Attempt {
  reached: Promise<unknown>;
  /** Gives up when nobody waits for it any more. */
  stop: AbortController;
  waiting: number;
}

const attempts = new Map<string, Attempt>();

/** Many calls of one program that find no daemon start one together. */
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
  const letGo = onAbort(signal, () => giveUp(signal?.reason));
  try {
    await Promise.race([attempt.reached, gaveUp]);
  } finally {
    letGo();
    attempt.waiting -= 1;
    if (attempt.waiting === 0) attempt.stop.abort();
  }
}

function begin(home: string, env: NodeJS.ProcessEnv): Attempt {
  const stop = new AbortController();
  const reached = reachDaemon(home, { env, signal: stop.signal }).finally(() => attempts.delete(home));
  // Whoever waits hears of it; there may be nobody left.
  reached.catch(() => {});
  const attempt = { reached, stop, waiting: 0 };
  attempts.set(home, attempt);
  return attempt;
}
