import type { ThreadFacts } from '../../../model/facts/snapshot.js';

/**
 * Whether a thread did not move between the two passes. A thread that waits for a Java monitor may wake up, find it
 * taken and sleep again: as long as the thread that is in the monitor stood still, that changes nothing (decision 11).
 */
export function stoodStill({ moved, monitor }: ThreadFacts): boolean {
  return moved === false || monitor !== undefined;
}
