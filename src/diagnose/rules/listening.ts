import { type Rule, rank } from './rule.js';

/** A server with nothing to do. With connections waiting to be accepted it is not so healthy. */
export const listening: Rule<'listening'> = {
  cause: 'listening',
  verdict: 'service',
  rank: rank.idle,
  certainty: ({ socket }) => (socket.receiveQueue > 0 ? 'medium' : 'high'),
};
