import { type Rule, rank } from '../graph/cause.js';

/** The kernel's own threads wait for work by design. */
export const kernelThread: Rule<'kernel-thread'> = {
  verdict: 'service',
  rank: rank.idle,
  certainty: 'high',
  detect: ({ process, thread }) =>
    process.kernelThread && thread.state !== 'R' ? { kind: 'kernel-thread' } : null,
};
