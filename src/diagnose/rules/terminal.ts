import { type Rule, rank } from './rule.js';

/** Blocked reading a terminal whose other side is outside the tree: somebody must type. */
export const terminal: Rule<'terminal'> = {
  cause: 'terminal',
  verdict: 'needs-input',
  rank: rank.input,
  certainty({ timed, terminal: name }, _, view) {
    // Only the other side of a pseudo terminal is held by a process.
    const known = !name.startsWith('pts/') || view.searchComplete;
    return timed || !known ? 'high' : 'certain';
  },
};
