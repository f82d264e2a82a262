import { type Rule, rank } from './rule.js';

/** Blocked reading standard input, and whoever could write to it is outside the tree. */
export const stdin: Rule<'stdin'> = {
  cause: 'stdin',
  verdict: 'needs-input',
  rank: rank.input,
  // Somebody inside the tree could write as well: the prompt is real, but it may answer itself.
  // A holder that was overlooked may be about to write.
  certainty: ({ shared, unseen }, _, view) => (shared || unseen || !view.searchComplete ? 'high' : 'certain'),
};
