import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessSample } from '../../../model/facts/sample.js';
import { listNumbers, readLink, readText } from '../proc/proc-file.js';
import { parseNet } from '../sockets/net.js';

/** More than this per tick would cost more than it is worth. */
const linksPerTickMax = 2048;

interface Known {
  /** The same object again: the process did not run, so it opened and closed nothing. */
  sample: ProcessSample;
  files: number | null;
  sockets: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/** The states of all TCP connections in the network of a process, by inode; null: not readable. */
export type TcpStates = (pid: number) => ReadonlyMap<number, string> | null;

export interface FileCount {
  /** null: not all files could be counted. */
  openFiles: number | null;
  /** TCP connections by state; null: not known. */
  connections: Record<string, number> | null;
}

/** Counts the open files and connections of a tree. It reads again only the processes that ran. */
export class FileCensus {
  #known = new Map<number, Known>();
  #openFiles: number | null = 0;
  /** The sockets of all processes; `reader`: a process that has some. */
  #sockets: { inodes: ReadonlySet<number>; reader: number | null } = { inodes: none, reader: null };

  take(processes: readonly ProcessSample[], tcpStates: TcpStates = readTcpStates): FileCount {
    if (!this.#isKnown(processes)) this.#count(processes);
    const openFiles = this.#openFiles;
    return { openFiles, connections: openFiles === null ? null : this.#connections(tcpStates) };
  }

  #isKnown(processes: readonly ProcessSample[]): boolean {
    if (processes.length !== this.#known.size) return false;
    return processes.every((sample) => this.#known.get(sample.pid)?.sample === sample);
  }

  #count(processes: readonly ProcessSample[]): void {
    const before = this.#known;
    this.#known = new Map();
    this.#openFiles = 0;
    const inodes = new Set<number>();
    let reader: number | null = null;
    let links = linksPerTickMax;
    for (const sample of processes) {
      const last = before.get(sample.pid);
      const known = last?.sample === sample ? last : countFiles(sample, links);
      if (known !== last) links -= known.files ?? 0;
      this.#known.set(sample.pid, known);
      this.#openFiles =
        this.#openFiles === null || known.files === null ? null : this.#openFiles + known.files;
      for (const inode of known.sockets) inodes.add(inode);
      if (known.sockets.size > 0) reader = sample.pid;
    }
    this.#sockets = { inodes: inodes.size === 0 ? none : inodes, reader };
  }

  #connections(tcpStates: TcpStates): Record<string, number> | null {
    const counts: Record<string, number> = {};
    const { inodes, reader } = this.#sockets;
    if (reader === null) return counts;
    // Through one of the processes: the tree may live in a network namespace of its own.
    const states = tcpStates(reader);
    if (states === null) return null;
    for (const inode of inodes) {
      const state = states.get(inode);
      if (state !== undefined) counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  }
}

function readTcpStates(pid: number): Map<number, string> | null {
  const states = new Map<number, string>();
  for (const name of ['tcp', 'tcp6']) {
    const text = readText(`/proc/${pid}/net/${name}`);
    if (isAbsent(text)) {
      if (text.absent === 'gone' && name === 'tcp6') continue;
      return null;
    }
    for (const { inode, state } of parseNet(text, 'tcp', '')) states.set(inode, state);
  }
  return states;
}

/** For many trees at one tick: each network is read once, however many trees live in it. */
export function tcpStatesOfTick(): TcpStates {
  const byNetwork = new Map<string, ReadonlyMap<number, string> | null>();
  return (pid) => {
    const network = readLink(`/proc/${pid}/ns/net`);
    // A process whose network cannot be identified counts as having its own.
    if (isAbsent(network)) return readTcpStates(pid);
    const known = byNetwork.get(network);
    if (known !== undefined) return known;
    const states = readTcpStates(pid);
    byNetwork.set(network, states);
    return states;
  };
}

function countFiles(sample: ProcessSample, linksLeft: number): Known {
  const dir = `/proc/${sample.pid}/fd`;
  const numbers = listNumbers(dir);
  if (isAbsent(numbers) || numbers.length > linksLeft) return { sample, files: null, sockets: none };
  const sockets = new Set<number>();
  for (const number of numbers) {
    const link = readLink(`${dir}/${number}`);
    const inode = isAbsent(link) ? null : /^socket:\[(\d+)\]$/.exec(link);
    if (inode !== null) sockets.add(Number(inode[1]));
  }
  return { sample, files: numbers.length, sockets: sockets.size === 0 ? none : sockets };
}
