import { type Rule, rank } from '../graph/cause.js';

/** The running `unstuck` command itself. */
export const ourselves: Rule<'ourselves'> = {
  verdict: 'working',
  rank: rank.unclear,
  certainty: 'high',
  detect: ({ process }, { snapshot }) => (process.pid === snapshot.reader.pid ? { kind: 'ourselves' } : null),
};
