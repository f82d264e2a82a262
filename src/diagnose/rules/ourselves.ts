import { type Rule, rank } from './rule.js';

/** This very command: it runs because it was asked. */
export const ourselves: Rule<'ourselves'> = {
  verdict: 'working',
  rank: rank.unclear,
  certainty: 'high',
  detect: ({ process }, { snapshot }) => (process.pid === snapshot.reader.pid ? { kind: 'ourselves' } : null),
};
