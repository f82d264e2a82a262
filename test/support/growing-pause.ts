import { setTimeout as delay } from 'node:timers/promises';

/** A pause, as a part of the wait until then. */
const share = 0.1;

/**
 * The pauses of a wait for a condition. They grow with the wait, to ten times the first: each look takes CPU time from
 * what is waited for. A wait becomes longer by a tenth at most.
 */
export function growingPause(firstMs: number): () => Promise<void> {
  const startMs = performance.now();
  return () => delay(Math.min(10 * firstMs, Math.max(firstMs, share * (performance.now() - startMs))));
}
