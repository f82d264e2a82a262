import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { NativeFacts } from '../kernel/kernel.js';
import { Turn } from '../snapshot/turn.js';

/** Open files in the messages that a socket has received; null: it is not a unix socket, or Linux is older than 5.6. */
export function filesIn(info: string): number | null {
  const count = /^scm_fds:\s*(\d+)/m.exec(info)?.[1];
  return count === undefined ? null : Number(count);
}

/** Where sockets are open. */
export interface OpenSockets {
  inodes(): Iterable<number>;
  /** fdinfo of each open file that is this socket. */
  infosOf(inode: number): Iterable<string | Absent>;
  /** Some processes may not be read: a socket that is open nowhere else is most likely theirs. */
  readonly hasUnreadable: boolean;
}

/** Where nothing lists the sockets of a machine, so many are asked. */
const askedMax = 50_000;

/** What was found; `isWhole`: every socket was asked. */
export interface Messages {
  sockets: readonly SocketFacts[];
  isWhole: boolean;
}

/** Unix sockets with messages that were not read yet. An open file in a message is listed for no process. */
export class UnreadMessages {
  readonly #native: NativeFacts;
  #found: Promise<Messages> | null = null;

  constructor(native: NativeFacts) {
    this.#native = native;
  }

  /** To be called when all open files were searched: what has arrived by then was seen by the search. */
  find(open: OpenSockets): Promise<Messages> {
    this.#found ??= this.#find(open);
    return this.#found;
  }

  async #find(open: OpenSockets): Promise<Messages> {
    const unix = this.#native.unixSockets();
    const listed = new Set([...(unix ?? []), ...(this.#native.tcpSockets() ?? [])].map(({ inode }) => inode));
    const sockets = [...withMessages(unix ?? [], open)];
    const turn = new Turn();
    let asked = 0;
    for (const inode of new Set(open.inodes())) {
      if (listed.has(inode)) continue;
      asked += 1;
      if (asked > askedMax) return { sockets, isWhole: false };
      const files = filesTo(inode, open);
      if (files !== 'unknown' && files > 0) sockets.push(elsewhere(inode, files));
      if (turn.isOver) await turn.next();
    }
    return { sockets, isWhole: true };
  }
}

/** Of the sockets that the kernel lists. A message of a stream has at least one byte, others may be empty. */
function* withMessages(unix: readonly SocketFacts[], open: OpenSockets): Generator<SocketFacts> {
  for (const socket of unix) {
    const { inode, receiveQueue, datagrams } = socket;
    if (inode === 0 || (receiveQueue === 0 && datagrams !== true)) continue;
    const files = filesTo(inode, open);
    if (files === 'unknown' && receiveQueue > 0) yield socket;
    else if (files !== 'unknown') yield { ...socket, unreadFiles: files };
  }
}

/** A unix socket that the kernel did not list: it is in another network namespace, or the kernel may not be asked. */
export function elsewhere(inode: number, unreadFiles: number): SocketFacts {
  return {
    inode,
    space: 'other',
    family: 'unix',
    state: 'UNCONNECTED',
    local: '',
    remote: '',
    receiveQueue: 0,
    sendQueue: 0,
    unreadFiles,
  };
}

function filesTo(inode: number, open: OpenSockets): number | 'unknown' {
  let isOpen = false;
  for (const info of open.infosOf(inode)) {
    if (!isAbsent(info)) return filesIn(info) ?? 'unknown';
    isOpen = true;
  }
  return !isOpen && open.hasUnreadable ? 0 : 'unknown';
}
