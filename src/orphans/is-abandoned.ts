import type { ProcessRow } from '../probe/linux/process-row.js';

/** Programs whose work it is to take in processes without a parent: systemd of a user, and what stands for init in containers. */
const reapers = /^(?:systemd|init|tini|dumb-init|docker-init|catatonit|s6-svscan|runit|launchd)$/;

type Table = ReadonlyMap<number, Pick<ProcessRow, 'pid' | 'session' | 'name'>>;
type Place = Pick<ProcessRow, 'pid' | 'parent' | 'session'>;

/**
 * Whether it is proven that a process was taken in by somebody who did not start it. A session is inherited: whoever
 * is in another one than its parent, and did not make its own, has got that parent later. Of one that has made its
 * own, only a parent whose work is to take in others tells that; for the rest the number 1 is no proof.
 */
export function isAbandoned({ pid, parent, session }: Place, table: Table): boolean {
  const above = table.get(parent);
  if (above === undefined) return session > 0 && session !== pid && parent > 0 && !table.has(session);
  if (session !== pid) return session > 0 && above.session !== session;
  return above.pid === 1 || reapers.test(above.name);
}
