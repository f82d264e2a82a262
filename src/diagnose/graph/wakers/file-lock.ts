import { isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, FileLockFacts } from '../../../model/facts/snapshot.js';
import type { Awaited } from '../awaited.js';
import type { Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';

/** Processes that keep a lock through an open file; the process that took it may be gone, or need not be named. */
function keepers(view: View, file: FdFacts | null): number[] {
  return view.snapshot.processes
    .filter(
      ({ fds }) => !isAbsent(fds) && fds.some((fd) => fd.link === file?.link && fd.detail?.of === 'locked'),
    )
    .map(({ pid }) => pid);
}

/**
 * A file lock: /proc/locks lists every waiter behind the row of its holder. Of a lock that belongs to an open file
 * (`ofFile`) it names neither.
 */
export function fileLockWakers(
  view: View,
  { process, thread }: Task,
  { file, ofFile }: Extract<Awaited, { what: 'file-lock' }>,
): Waker[] {
  const { locks } = view.snapshot;
  const isOfWaiter = ({ pid }: FileLockFacts): boolean => pid === process.pid || pid === thread.tid;
  const waiting = ofFile ? undefined : locks.find((lock) => !lock.held && isOfWaiter(lock));
  const holding = locks.filter(({ held, id }) => held && id === waiting?.id);
  const living = holding.map(({ pid }) => pid).filter((pid) => view.process(pid) !== undefined);
  const holders = [...new Set([...living, ...keepers(view, file)])];
  const link = file?.link ?? waiting?.file ?? 'a file';
  return [
    ...toProcesses(holders, 'file-lock'),
    {
      to: 'outside',
      cause: { kind: 'file-lock', holders, file: link, lock: waiting ?? null },
      // With a holder to follow, the lock itself opens no closed set: two processes that wait for each other's lock are
      // a deadlock.
      strength: holders.length > 0 ? 'derived' : 'plain',
    },
  ];
}
