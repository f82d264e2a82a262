import { isOfPython, type MonitorFacts } from '../../../model/facts/monitors.js';
import type { Task } from '../view.js';
import type { Waker } from '../waker.js';

/**
 * Only the thread that has a Java monitor or lock can let another thread in: Java throws in any other thread that
 * tries.
 */
export function monitorWakers({ process }: Task, { owner, type, ended }: MonitorFacts): Waker[] {
  if (ended) return [];
  if (process.threads.some(({ tid }) => tid === owner)) {
    return [{ to: 'thread', pid: process.pid, tid: owner, via: type === undefined ? 'monitor' : 'mutex' }];
  }
  const what = isOfPython(type) ? `a Python ${type}` : `a Java ${type ?? 'monitor'}`;
  return [{ to: 'outside', cause: { kind: 'unknown', what }, strength: 'plain' }];
}
