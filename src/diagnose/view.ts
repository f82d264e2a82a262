import { isAbsent } from '../model/absence.js';
import { fdIndex } from '../model/fd-index.js';
import type { FdFacts, ProcessFacts, Snapshot, ThreadFacts } from '../model/snapshot.js';
import type { SocketFacts } from '../model/socket-facts.js';

/** One thread of one process: the unit that waits. */
export interface Task {
  process: ProcessFacts;
  thread: ThreadFacts;
}

export interface Holder {
  process: ProcessFacts;
  file: FdFacts;
}

/** CPU time a process used between the two collects. A thread is read a little longer than the gap between them. */
export function ranMsOf({ threads }: ProcessFacts, gapMs: number): number {
  return threads.reduce((sum, thread) => sum + Math.min(thread.ranMs, gapMs), 0);
}

const EPOLLIN = 1;

/** An event loop that reads standard input, whether it sleeps or runs. */
function watchesInput({ fds }: ProcessFacts): boolean {
  if (isAbsent(fds)) return false;
  return fds.some(
    ({ detail }) =>
      detail?.of === 'epoll' && detail.targets.some(({ fd, events }) => fd === 0 && (events & EPOLLIN) !== 0),
  );
}

/** A snapshot with the indexes the judge needs; adds nothing to it. */
export class View {
  readonly snapshot: Snapshot;
  readonly #byPid = new Map<number, ProcessFacts>();
  readonly #byObject = new Map<string, Holder[]>();
  readonly #byInode = new Map<number, SocketFacts>();
  readonly #byAddresses = new Map<string, SocketFacts>();
  readonly #lineage: ReadonlySet<number>;
  /** CPU time of the whole tree between the two collects, our own left out. */
  readonly treeRanMs: number;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#lineage = new Set(snapshot.targetLineage);
    this.treeRanMs = snapshot.processes
      .filter(({ inTree, pid }) => inTree && pid !== snapshot.reader.pid)
      .reduce((sum, process) => sum + ranMsOf(process, snapshot.gapMs), 0);
    for (const process of snapshot.processes) {
      this.#byPid.set(process.pid, process);
      for (const file of isAbsent(process.fds) ? [] : process.fds) this.#addHolder({ process, file });
    }
    for (const socket of snapshot.sockets) {
      if (socket.inode !== 0) this.#byInode.set(socket.inode, socket);
      this.#byAddresses.set(`${socket.space} ${socket.local} ${socket.remote}`, socket);
    }
  }

  get target(): ProcessFacts | undefined {
    return this.#byPid.get(this.snapshot.targetPid);
  }

  process(pid: number): ProcessFacts | undefined {
    return this.#byPid.get(pid);
  }

  /** The file a process has open under a number. */
  file(process: ProcessFacts, fd: number): FdFacts | undefined {
    return isAbsent(process.fds) ? undefined : fdIndex(process.fds).byNumber.get(fd);
  }

  holders(object: string): readonly Holder[] {
    return this.#byObject.get(object) ?? [];
  }

  socketOf(file: FdFacts): SocketFacts | undefined {
    return file.kind === 'socket'
      ? this.#byInode.get(Number(file.object.slice('socket:'.length)))
      : undefined;
  }

  /** The other end of a TCP connection on this machine. */
  reverse(socket: SocketFacts): SocketFacts | undefined {
    return this.#byAddresses.get(`${socket.space} ${socket.remote} ${socket.local}`);
  }

  listenerFor(socket: SocketFacts): SocketFacts | undefined {
    const port = socket.remote.slice(socket.remote.lastIndexOf(':'));
    return this.snapshot.sockets.find(
      (row) =>
        row.family === 'tcp' &&
        row.state === 'LISTEN' &&
        [socket.remote, `0.0.0.0${port}`, `[::]${port}`].includes(row.local),
    );
  }

  /** An ancestor of the target: the shell, supervisor or framework that started it. */
  isAncestor(pid: number): boolean {
    return this.#lineage.has(pid) || this.snapshot.reader.pid === pid;
  }

  /**
   * A supervisor of ours above the target that passes its own input on, to the pipe or terminal of its command: it is
   * looked through, never an end. One that hides its files, or reads nothing, is not.
   */
  isRelay(pid: number): boolean {
    const process = this.#byPid.get(pid);
    if (process === undefined || process.inTree || !this.snapshot.relays.includes(pid)) return false;
    const input = this.file(process, 0);
    return input !== undefined && (input.kind === 'file' || watchesInput(process));
  }

  /** Of the tree, or of the same run: its parent may be gone. */
  isOfTree({ inTree, runId }: ProcessFacts): boolean {
    return inTree || (runId !== null && runId === (this.target?.runId ?? null));
  }

  /** Whether every holder on this machine was found, those included that a container hides. */
  get holdersComplete(): boolean {
    return this.searchComplete && !this.snapshot.reader.confined && !this.#hasUnreadMessage(() => true);
  }

  /** Whether the search for holders could have missed a relative of the tree. */
  get searchComplete(): boolean {
    const { done, unreadablePids, cut } = this.snapshot.searched;
    const isOfTree = ({ inode }: SocketFacts): boolean =>
      this.holders(`socket:${inode}`).some(({ process }) => process.inTree);
    return done && unreadablePids.length === 0 && cut === null && !this.#hasUnreadMessage(isOfTree);
  }

  /** A message that was not read yet may carry an open file. */
  #hasUnreadMessage(concerns: (socket: SocketFacts) => boolean): boolean {
    return this.snapshot.sockets.some(
      (socket) =>
        socket.family === 'unix' && socket.state !== 'LISTEN' && socket.receiveQueue > 0 && concerns(socket),
    );
  }

  /** Maps a process id as the target's own pid namespace counts to ours. */
  pidInNamespaceOf(process: ProcessFacts, pid: number): number {
    if (process.namespacePids.length <= 1) return pid;
    const depth = process.namespacePids.length - 1;
    const match = this.snapshot.processes.find((other) => other.namespacePids[depth] === pid);
    return match?.pid ?? pid;
  }

  #addHolder(holder: Holder): void {
    const known = this.#byObject.get(holder.file.object);
    if (known === undefined) this.#byObject.set(holder.file.object, [holder]);
    else known.push(holder);
  }
}
