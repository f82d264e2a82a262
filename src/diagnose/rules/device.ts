import { type Rule, rank } from './rule.js';

/** Waits for a device, or for a kernel object we have no name for. */
export const device: Rule<'device'> = {
  cause: 'device',
  verdict: 'event',
  rank: rank.event,
  certainty: 'medium',
  onlyPossible: true,
};
