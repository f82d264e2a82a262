import { type Rule, rank } from './rule.js';

/** Blocked reading a terminal whose other side is outside the tree: somebody must type. */
export const terminal: Rule<'terminal'> = {
  cause: 'terminal',
  verdict: 'needs-input',
  rank: rank.input,
  certainty: ({ timed }) => (timed ? 'high' : 'certain'),
};
