import { type Rule, rank } from './rule.js';

/** A closed set: every thread that could wake another one waits itself, for ever. */
export const knot: Rule<'knot'> = {
  cause: 'knot',
  verdict: ({ alone }) => (alone ? 'asleep' : 'deadlock'),
  rank: rank.proof,
  certainty: ({ proof }) => (({ complete: 'certain', strong: 'high', partial: 'medium' }) as const)[proof],
};
