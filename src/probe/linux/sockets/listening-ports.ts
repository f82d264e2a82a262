import { isAbsent } from '../../../model/facts/absence.js';
import { listNumbers, readLink, readText } from '../proc/proc-file.js';
import { parseNet } from './net.js';

/** In a huge tree, a quick stop is worth more than a complete list. */
const searchMsMax = 250;

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}

/** Listening ports in the network namespace of this process, by socket. */
export type Listeners = ReadonlyMap<string, number>;

export function listeners(): Listeners {
  const ports = new Map<string, number>();
  for (const file of ['tcp', 'tcp6']) {
    const text = readText(`/proc/self/net/${file}`);
    for (const { state, inode, local } of isAbsent(text) ? [] : parseNet(text, 'tcp', 'own')) {
      if (state === 'LISTEN') ports.set(`socket:[${inode}]`, portOf(local));
    }
  }
  return ports;
}

/** The TCP ports these processes listen on, in ascending order. `ports`: an earlier list of the listening ports. */
export function listeningPorts(pids: readonly number[], ports: Listeners = listeners()): number[] {
  const untilMs = performance.now() + searchMsMax;
  const found = new Set<number>();
  for (const pid of ports.size === 0 ? [] : pids) {
    if (performance.now() > untilMs) break;
    const fds = listNumbers(`/proc/${pid}/fd`);
    for (const fd of isAbsent(fds) ? [] : fds) {
      const link = readLink(`/proc/${pid}/fd/${fd}`);
      const port = isAbsent(link) ? undefined : ports.get(link);
      if (port !== undefined) found.add(port);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Those of these ports that no process listens on. */
export function freePorts(ports: readonly number[], now: Listeners = listeners()): Set<number> {
  const taken = new Set(now.values());
  return new Set(ports.filter((port) => !taken.has(port)));
}

/** Among thousands of processes a list in time is worth more than a complete list. */
const listMsMax = 1000;

/** The TCP ports each of these processes listens on, in ascending order; a process that listens on none is left out. */
export function portsByProcess(pids: readonly number[]): Map<number, number[]> {
  const ports = pids.length === 0 ? new Map<string, number>() : listeners();
  const found = new Map<number, number[]>();
  const untilMs = performance.now() + listMsMax;
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
