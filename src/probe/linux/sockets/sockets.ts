import { type AbsenceReason, type Absent, isAbsent } from '../../../model/facts/absence.js';
import { SocketIndex } from '../../../model/facts/socket-index.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { Kernel } from '../kernel/kernel.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { parseNet } from './net.js';

const netFiles = [
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
  ['udp', 'udp'],
  ['udp6', 'udp'],
] as const;

/** What could not be read of a network namespace; `own`: of the process it was read through. */
type Miss = [source: 'net' | 'unix-peers' | 'tcp-info', of: 'own' | 'all', AbsenceReason, detail?: string];

interface Space {
  misses: Miss[];
  /** Snapshots that report it already. */
  noted: Set<ReadContext>;
}

/** All sockets of the network namespaces of these processes, by inode, shared by snapshots taken together. */
export class SocketTable {
  /** All rows; also rows of connections that were not accepted yet, which have no inode. */
  readonly #rows: SocketFacts[] = [];
  readonly index = new SocketIndex();
  readonly #spaces = new Map<string, Space>();
  readonly #kernel: Kernel;
  readonly #own: string | Absent;
  #hasLaterBytes = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#own = kernel.files.link('/proc/self/ns/net');
  }

  /** Reads the network namespace of a process, once per namespace; a missing part is reported in every snapshot. */
  addSpaceOf(pid: number, context: ReadContext): void {
    const link = this.#kernel.files.link(`/proc/${pid}/ns/net`);
    const name = isAbsent(link) ? `pid ${pid}` : link;
    let space = this.#spaces.get(name);
    if (space === undefined) {
      const isOwn = isAbsent(this.#own) || isAbsent(link) || link === this.#own;
      space = { misses: this.#read(pid, name, isOwn, context.withheld), noted: new Set() };
      this.#spaces.set(name, space);
    }
    if (space.noted.has(context)) return;
    space.noted.add(context);
    for (const [source, of, reason, detail] of space.misses) {
      context.miss(source, of === 'own' ? pid : null, reason, detail);
    }
  }

  /** Reads the network namespace of a process once more: sockets that are newer than the table. */
  addNewSocketsOf(pid: number, { withheld }: ReadContext): void {
    const link = this.#kernel.files.link(`/proc/${pid}/ns/net`);
    if (!isAbsent(link)) this.#read(pid, link, isAbsent(this.#own) || link === this.#own, withheld);
  }

  #read(pid: number, space: string, isOwn: boolean, withheld: ReadContext['withheld']): Miss[] {
    const misses: Miss[] = [];
    for (const [file, family] of netFiles) {
      const text = this.#kernel.files.text(`/proc/${pid}/net/${file}`);
      if (!isAbsent(text)) for (const row of parseNet(text, family, space)) this.#add(row);
      else if (file === 'tcp') misses.push(['net', 'own', text.absent]);
    }
    for (const family of ['netlink', 'packet'] as const) {
      const text = this.#kernel.files.text(`/proc/${pid}/net/${family}`);
      // A kernel without the file has no such sockets.
      if (!isAbsent(text)) for (const row of parseKernelSockets(text, family, space)) this.#add(row);
    }
    if (isOwn) return [...misses, ...this.#addDiag(space, withheld)];
    const elsewhere = 'another network namespace';
    return [
      ...misses,
      ['unix-peers', 'own', 'unsupported', elsewhere],
      ['tcp-info', 'own', 'unsupported', elsewhere],
    ];
  }

  /** Second pass: the bytes that were received and sent meanwhile. */
  addBytes(): void {
    if (this.#hasLaterBytes) return;
    this.#hasLaterBytes = true;
    // Nothing to compare with: no request to the kernel is needed.
    if (!this.#rows.some(({ tcp }) => tcp !== undefined)) return;
    for (const later of this.#kernel.native.tcpSockets() ?? []) {
      const first = this.index.byInode(later.inode)?.tcp;
      if (first === undefined || later.tcp === undefined || later.inode === 0) continue;
      first.addedReceived = later.tcp.bytesReceived - first.bytesReceived;
      first.addedAcked = later.tcp.bytesAcked - first.bytesAcked;
    }
  }

  /** Only what the judge needs: the sockets of the processes in the snapshot, and their other ends. */
  select(wanted: ReadonlySet<number>): SocketFacts[] {
    const rows = this.#rows.filter((row) => wanted.has(row.inode));
    for (const row of rows) if (this.index.isAccepted(row)) row.accepted = true;
    return rows;
  }

  #add(row: SocketFacts): void {
    if (row.state === 'TIME_WAIT' || (row.inode !== 0 && this.index.byInode(row.inode) !== undefined)) return;
    this.#rows.push(row);
    this.index.add(row);
  }

  #addDiag(space: string, withheld: ReadContext['withheld']): Miss[] {
    const misses: Miss[] = [];
    const { native, lacks } = this.#kernel;
    const isLive = lacks === 'unsupported';
    const unix = withheld.has('unix-peers') ? null : native.unixSockets();
    if (unix === null)
      misses.push(
        isLive ? ['unix-peers', 'all', lacks, 'neither koffi nor ss'] : ['unix-peers', 'all', lacks],
      );
    for (const row of unix ?? []) this.#add({ ...row, space });
    const tcp = withheld.has('unix-peers') ? null : native.tcpSockets();
    if (tcp === null)
      misses.push(isLive ? ['tcp-info', 'all', lacks, 'no sock_diag'] : ['tcp-info', 'all', lacks]);
    for (const row of tcp ?? []) {
      const known = this.index.byInode(row.inode);
      if (known !== undefined && row.inode !== 0 && row.tcp !== undefined) known.tcp = row.tcp;
    }
    return misses;
  }
}

/** Rows of /proc/PID/net/netlink and packet: sockets whose other end is the kernel. */
export function parseKernelSockets(text: string, family: 'netlink' | 'packet', space: string): SocketFacts[] {
  const [head = '', ...lines] = text.split('\n');
  const columns = head.trim().split(/\s+/);
  const [inodeAt, groupsAt] = [columns.indexOf('Inode'), columns.indexOf('Groups')];
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const inode = Number(fields[inodeAt]);
    if (inodeAt < 0 || !Number.isSafeInteger(inode) || inode === 0) return [];
    const state = Number.parseInt(fields[groupsAt] ?? '0', 16) > 0 ? 'SUBSCRIBED' : 'UNCONNECTED';
    return { inode, space, family, state, local: '', remote: '', receiveQueue: 0, sendQueue: 0 };
  });
}
