import { type Rule, rank } from './rule.js';

/** Ended, and not yet collected by its parent. A leader whose threads live on is no zombie. */
export const zombie: Rule<'zombie'> = {
  cause: 'zombie',
  verdict: 'zombie',
  rank: rank.unclear,
  certainty: 'certain',
  detect({ process }) {
    const dead = process.threads.every(({ state }) => state === 'Z' || state === 'X');
    if (process.state !== 'Z' || !dead) return null;
    return { kind: 'zombie', parent: process.parent, status: process.exitStatus };
  },
};
