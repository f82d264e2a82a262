import type { MonitorFacts } from '../../model/snapshot.js';
import type { Task } from '../view.js';
import type { Waker } from '../waker.js';

/** Only the thread that is in a Java monitor can let another one in: the machine throws at whoever else tries. */
export function monitorWakers({ process }: Task, { owner }: MonitorFacts): Waker[] {
  if (process.threads.some(({ tid }) => tid === owner))
    return [{ to: 'thread', pid: process.pid, tid: owner, via: 'monitor' }];
  return [{ to: 'outside', cause: { kind: 'unknown', what: 'a Java monitor' }, strength: 'plain' }];
}
