import { type Rule, rank } from './rule.js';

/** The command has ended, but a process it left behind keeps its output open. */
export const lingering: Rule<'lingering'> = {
  cause: 'lingering',
  verdict: 'lingering',
  rank: rank.halted,
  certainty: 'high',
};
