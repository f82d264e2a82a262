import { isAbsent } from '../../../model/facts/absence.js';
import { listNumbers, readLink } from '../proc/proc-file.js';
import { listeners } from './listening-ports.js';

/** Among thousands of processes a list in time is worth more than a complete list. */
const searchMsMax = 1000;

/** The TCP ports each of these processes listens on, in ascending order; a process that listens on none is left out. */
export function portsByProcess(pids: readonly number[]): Map<number, number[]> {
  const ports = pids.length === 0 ? new Map<string, number>() : listeners();
  const found = new Map<number, number[]>();
  const untilMs = performance.now() + searchMsMax;
  for (const pid of ports.size === 0 ? [] : pids) {
    if (performance.now() > untilMs) break;
    const own = new Set<number>();
    const fds = listNumbers(`/proc/${pid}/fd`);
    for (const fd of isAbsent(fds) ? [] : fds) {
      const link = readLink(`/proc/${pid}/fd/${fd}`);
      const port = isAbsent(link) ? undefined : ports.get(link);
      if (port !== undefined) own.add(port);
    }
    if (own.size > 0)
      found.set(
        pid,
        [...own].sort((a, b) => a - b),
      );
  }
  return found;
}

/**
 * The processes that listen on a port of this network namespace; null: none does. Empty: a process that this user may
 * not read.
 */
export function holdersOf(port: number, pids: readonly number[]): number[] | null {
  if (![...listeners().values()].includes(port)) return null;
  return [...portsByProcess(pids)].filter(([, ports]) => ports.includes(port)).map(([pid]) => pid);
}
