import { isAbsent } from '../../model/facts/absence.js';
import { callShapes } from '../../model/facts/calls.js';
import { type Rule, rank } from '../graph/cause.js';

/** A disk answers within seconds; a thread that sleeps longer waits for a file system that does not answer. */
const diskPatienceMs = 2000;

/** Kernel functions that wait for a file system's server, not for a disk. */
const remoteFilesystem = /fuse|nfs|rpc|cifs|smb|p9_|request_wait_answer/;

/** State D: the kernel works for this thread on storage. vfork shows D as well, but waits for its child. */
export const disk: Rule<'disk'> = {
  verdict: 'working',
  rank: rank.progress,
  certainty: 'high',
  detect({ thread }) {
    if (thread.state !== 'D') return null;
    const { call } = thread;
    if (!isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'spawned-child')
      return null;
    if (thread.wchan !== null && /clone|vfork/.test(thread.wchan)) return null;
    if (remoteFilesystem.test(thread.wchan ?? '')) return null;
    const old = thread.moved === false && thread.offCpuMs !== null && thread.offCpuMs > diskPatienceMs;
    return old ? null : { kind: 'disk' };
  },
};
