import { type Rule, rank } from './rule.js';

/** Another process has locked the file. */
export const fileLock: Rule<'file-lock'> = {
  cause: 'file-lock',
  verdict: 'lock',
  rank: rank.lock,
  certainty: ({ holders }) => (holders.length > 0 ? 'high' : 'medium'),
};
