import { isAbsent } from '../../model/absence.js';
import type { SocketFacts } from '../../model/socket-facts.js';
import { loadLibc } from './libc.js';
import { parseNet } from './net.js';
import { readLink, readText } from './proc-file.js';
import type { ReadContext } from './read-context.js';
import { diagTcp, diagUnix } from './sock-diag.js';
import { ssUnix } from './ss.js';

const netFiles = [
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
  ['udp', 'udp'],
  ['udp6', 'udp'],
] as const;

/** All sockets of the network namespaces of these processes, by inode. */
export class SocketTable {
  readonly #context: ReadContext;
  readonly #byInode = new Map<number, SocketFacts>();
  readonly #byAddresses = new Map<string, SocketFacts>();
  readonly #listening: SocketFacts[] = [];
  readonly #spaces = new Set<string>();
  readonly #own = readLink('/proc/self/ns/net');

  constructor(context: ReadContext) {
    this.#context = context;
  }

  get(inode: number): SocketFacts | undefined {
    return this.#byInode.get(inode);
  }

  /** The other end of a TCP connection on this machine: the row with both addresses exchanged. */
  reverse(socket: SocketFacts): SocketFacts | undefined {
    return this.#byAddresses.get(`${socket.space} ${socket.remote} ${socket.local}`);
  }

  /** The listening socket that would accept a connection to this address. */
  listenerFor(remote: string): SocketFacts | undefined {
    const port = remote.slice(remote.lastIndexOf(':'));
    const addresses = [remote, `0.0.0.0${port}`, `[::]${port}`];
    return this.#listening.find((row) => row.family === 'tcp' && addresses.includes(row.local));
  }

  unixListener(path: string): SocketFacts | undefined {
    return this.#listening.find((row) => row.family === 'unix' && row.local === path);
  }

  /** Reads the network namespace of a process, once per namespace. */
  addSpaceOf(pid: number): void {
    const link = readLink(`/proc/${pid}/ns/net`);
    const space = isAbsent(link) ? `pid ${pid}` : link;
    if (this.#spaces.has(space)) return;
    this.#spaces.add(space);
    for (const [file, family] of netFiles) {
      const text = readText(`/proc/${pid}/net/${file}`);
      if (!isAbsent(text)) for (const row of parseNet(text, family, space)) this.#add(row);
      else if (file === 'tcp') this.#context.miss('net', pid, text.absent);
    }
    if (isAbsent(this.#own) || space === this.#own || isAbsent(link)) this.#addDiag(space);
    else {
      this.#context.miss('unix-peers', pid, 'unsupported', 'another network namespace');
      this.#context.miss('tcp-info', pid, 'unsupported', 'another network namespace');
    }
  }

  /** Second collect: the bytes that came and went meanwhile. */
  addBytes(): void {
    // Nothing to compare with: loading the C library costs more than all the rest of this collect.
    if (![...this.#byInode.values()].some(({ tcp }) => tcp !== undefined)) return;
    const libc = loadLibc();
    for (const later of (libc === null ? null : diagTcp(libc)) ?? []) {
      const first = this.#byInode.get(later.inode)?.tcp;
      if (first === undefined || later.tcp === undefined || later.inode === 0) continue;
      first.addedReceived = later.tcp.bytesReceived - first.bytesReceived;
      first.addedAcked = later.tcp.bytesAcked - first.bytesAcked;
    }
  }

  /** Only what the judge needs: the sockets of the processes in the snapshot, and their other ends. */
  select(wanted: ReadonlySet<number>): SocketFacts[] {
    return [...this.#byInode.values()].filter((row) => wanted.has(row.inode));
  }

  #add(row: SocketFacts): void {
    if (row.state === 'TIME_WAIT') return;
    if (row.family === 'tcp') this.#byAddresses.set(`${row.space} ${row.local} ${row.remote}`, row);
    if (row.state === 'LISTEN') this.#listening.push(row);
    // A connection that nobody accepted yet has no inode: it is kept under a negative key.
    this.#byInode.set(row.inode === 0 ? -1 - this.#byInode.size : row.inode, row);
  }

  #addDiag(space: string): void {
    const libc = this.#context.withheld.has('unix-peers') ? null : loadLibc();
    const unix = (libc === null ? null : diagUnix(libc)) ?? ssUnix();
    if (unix === null) this.#context.miss('unix-peers', null, 'unsupported', 'neither koffi nor ss');
    for (const row of unix ?? []) this.#add({ ...row, space });
    const tcp = libc === null ? null : diagTcp(libc);
    if (tcp === null) this.#context.miss('tcp-info', null, 'unsupported', 'no sock_diag');
    for (const row of tcp ?? []) {
      const known = this.#byInode.get(row.inode);
      if (known !== undefined && row.inode !== 0 && row.tcp !== undefined) known.tcp = row.tcp;
    }
  }
}
