import { type Rule, rank } from '../graph/cause.js';

/** Ended, and not yet collected by its parent. A leader whose threads live on is no zombie. */
export const zombie: Rule<'zombie'> = {
  verdict: 'zombie',
  rank: rank.unclear,
  certainty: 'certain',
  detect({ process }) {
    // Collected in between: it has no state any more.
    const dead = process.threads.every(({ state, laterState }) => state === 'Z' && laterState === 'Z');
    if (process.state !== 'Z' || !dead) return null;
    return { kind: 'zombie', parent: process.parent, status: process.exitStatus };
  },
};
