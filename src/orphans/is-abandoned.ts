import type { ProcessRow } from '../probe/processes.js';

/** Programs that adopt processes without a parent: a user's systemd, and init programs of containers. */
const reapers = /^(?:systemd|init|tini|dumb-init|docker-init|catatonit|s6-svscan|runit|launchd)$/;

type Table = ReadonlyMap<number, Pick<ProcessRow, 'pid' | 'session' | 'name'>>;
type Place = Pick<ProcessRow, 'pid' | 'parent' | 'session'>;

/**
 * Whether a process has provably been adopted by a parent that did not start it. A session is inherited, so a process
 * in another session than its parent, which did not create its own session, got that parent later. A process that leads
 * its own session counts only when its parent is a reaper; otherwise parent 1 is not a proof.
 */
export function isAbandoned({ pid, parent, session }: Place, table: Table): boolean {
  const above = table.get(parent);
  if (above === undefined) return session > 0 && session !== pid && parent > 0 && !table.has(session);
  if (session !== pid) return session > 0 && above.session !== session;
  return above.pid === 1 || reapers.test(above.name);
}
