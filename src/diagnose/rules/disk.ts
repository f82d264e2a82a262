import { isAbsent } from '../../model/absence.js';
import { callShapes } from '../../model/calls.js';
import { type Rule, rank } from './rule.js';

/** A disk answers within seconds; what sleeps longer waits for a file system that does not. */
const diskPatienceMs = 2000;

/** State D: the kernel works for this thread on storage. vfork shows D as well, but waits for its child. */
export const disk: Rule<'disk'> = {
  cause: 'disk',
  verdict: 'working',
  rank: rank.progress,
  certainty: 'high',
  detect({ thread }) {
    if (thread.state !== 'D') return null;
    const { call } = thread;
    if (!isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'spawned-child')
      return null;
    if (thread.wchan !== null && /clone|vfork/.test(thread.wchan)) return null;
    const old = thread.moved === false && thread.offCpuMs !== null && thread.offCpuMs > diskPatienceMs;
    return old ? null : { kind: 'disk' };
  },
};
