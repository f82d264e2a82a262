import { type Rule, rank } from './rule.js';

/** A System V semaphore or message queue, or a POSIX queue: any process of the machine could post to it. */
export const ipc: Rule<'ipc'> = {
  cause: 'ipc',
  verdict: 'event',
  rank: rank.event,
  certainty: 'medium',
  onlyPossible: true,
};
