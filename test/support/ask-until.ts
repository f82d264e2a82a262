import { growingPause } from './growing-pause.js';
import { patienceMs } from './patience.js';

/**
 * Asks until the answer is as wanted: the first one may be about a program that has just run. Where none is within the
 * bound, the last answer is returned, so that a failure shows it.
 */
export async function askUntil<T>(
  ask: () => T | Promise<T>,
  isWanted: (answer: T) => boolean,
  everyMs = 50,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  const pause = growingPause(everyMs);
  for (;;) {
    const answer = await ask();
    if (isWanted(answer) || performance.now() > endMs) return answer;
    await pause();
  }
}
