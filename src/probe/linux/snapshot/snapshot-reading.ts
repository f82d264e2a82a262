import { isAbsent } from '../../../model/facts/absence.js';
import { argNumber } from '../../../model/facts/calls.js';
import { fdIndex } from '../../../model/facts/fd-index.js';
import { type ProcessFacts, type Snapshot, snapshotVersion } from '../../../model/facts/snapshot.js';
import type { SocketIndex } from '../../../model/facts/socket-index.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import { Failure } from '../../../model/failure.js';
import type { SnapshotOptions } from '../../probe.js';
import { relaysAmong, supervisorsIn } from '../holders/own-runs.js';
import type { SharedSearch } from '../holders/shared-search.js';
import type { Kernel } from '../kernel/kernel.js';
import { ancestorsOf } from '../members/ancestors.js';
import type { SocketTable } from '../sockets/sockets.js';
import { Collection } from './collection.js';
import { type Moment, ReadContext } from './read-context.js';

/** With hidepid a living process has no directory; only a signal 0 distinguishes it from a dead process. */
function explainMissing(kernel: Kernel, pid: number): Failure {
  if (!kernel.isHidden(pid)) {
    return new Failure('no-such-process', `no process ${pid}`, 'list processes with: ps -ef');
  }
  return new Failure(
    'cannot-read',
    `process ${pid} is alive, but /proc hides it from this user (hidepid)`,
    `run as its owner or as root: sudo unstuck why ${pid}`,
  );
}

function listenersIn(sockets: SocketIndex, { threads, fds }: ProcessFacts): number[] {
  return threads.flatMap(({ call }) => {
    if (isAbsent(call) || call.at !== 'call' || call.name !== 'connect' || typeof call.path !== 'string')
      return [];
    const file = isAbsent(fds) ? undefined : fdIndex(fds).byNumber.get(argNumber(call, 0));
    const space = file === undefined ? undefined : sockets.of(file)?.space;
    const listener = sockets.unixListener(space ?? '', call.path);
    return listener === undefined ? [] : [listener.inode];
  });
}

function socketInodes(processes: readonly ProcessFacts[], collection: Collection): Set<number> {
  const inodes = new Set<number>();
  const sockets = collection.sockets.index;
  for (const process of processes) {
    for (const inode of listenersIn(sockets, process)) inodes.add(inode);
    for (const { kind, object } of isAbsent(process.fds) ? [] : process.fds) {
      if (kind !== 'socket') continue;
      const inode = Number(object.slice('socket:'.length));
      inodes.add(inode);
      const socket = sockets.byInode(inode);
      if (socket?.peer !== undefined) inodes.add(socket.peer);
      const other = socket?.family === 'tcp' ? sockets.reverse(socket) : undefined;
      if (other !== undefined) inodes.add(other.inode);
      const listener = socket?.family === 'tcp' ? sockets.listenerFor(socket) : undefined;
      if (listener !== undefined) inodes.add(listener.inode);
    }
  }
  return inodes;
}

/** Adds the sockets of other processes whose unread messages may carry an open file. */
function withMessages(rows: readonly SocketFacts[], messages: readonly SocketFacts[]): SocketFacts[] {
  const unread = new Map(messages.map((socket) => [socket.inode, socket]));
  const own = rows.map((row) => {
    const files = unread.get(row.inode)?.unreadFiles;
    unread.delete(row.inode);
    return files === undefined ? row : { ...row, unreadFiles: files };
  });
  return [...own, ...[...unread.values()].filter(({ unreadFiles }) => unreadFiles !== 0)];
}

/** A snapshot while it is taken: three steps, between which other snapshots may take theirs. */
export class SnapshotReading {
  readonly pid: number;
  readonly beganMs = performance.now();
  readonly #context: ReadContext;
  readonly #collection: Collection;
  readonly #members: readonly number[];
  #messages: readonly SocketFacts[] = [];
  #lineage: readonly number[] = [];
  #treeReadMs = 0;

  constructor(
    pid: number,
    { withhold, membersOf }: SnapshotOptions,
    search: SharedSearch,
    sockets: SocketTable,
    moment: Moment,
    kernel: Kernel,
  ) {
    this.pid = pid;
    this.#members = membersOf?.(pid) ?? [];
    this.#context = new ReadContext(kernel, moment, withhold);
    this.#collection = new Collection(this.#context, search, sockets);
  }

  /** First pass over the tree. Throws a Failure when there is none. */
  readTree(): void {
    const { kernel } = this.#context;
    this.#lineage = ancestorsOf(this.pid, kernel.files);
    this.#collection.addTree(this.pid);
    if (!this.#collection.readings.has(this.pid)) throw explainMissing(kernel, this.pid);
    this.#collection.addMembers(this.#members);
    const tree = [...this.#collection.readings.values()].map(({ facts }) => facts);
    this.#collection.relays = [
      ...relaysAmong(kernel.files, this.pid, this.#lineage),
      ...supervisorsIn(kernel.files, tree),
    ];
    this.#treeReadMs = performance.now();
  }

  /** No thread of the tree runs, and something is waited for: what was overlooked could matter. */
  get mayBeProof(): boolean {
    return this.#collection.search.scanned && this.#collection.isStill;
  }

  hasRead(pid: number): boolean {
    return this.#collection.readings.has(pid);
  }

  hasSession(session: number): boolean {
    return this.#collection.hasSession(session);
  }

  /** First pass over the processes at the other end. */
  async readOutsiders(): Promise<void> {
    await this.#collection.addOutsiders();
  }

  /** Processes that came since; false: none of them matters here. */
  readNewcomers(pids: readonly number[]): Promise<boolean> {
    return this.#collection.addNewcomers(pids);
  }

  /** The end of the first pass. */
  async compare(): Promise<void> {
    this.#collection.noteSharedMappings();
    this.#collection.noteHiddenRings();
    this.#collection.nameSharedFiles();
    this.#messages = await this.#collection.messages();
  }

  /** Second pass. */
  finish(): Snapshot {
    const collection = this.#collection;
    const { kernel } = this.#context;
    const gapMs = this.#context.beginSecond() ?? performance.now() - this.beganMs;
    collection.sockets.addBytes();
    const alarms = collection.isStill ? kernel.alarms(this.#treeReadMs) : null;
    const processes = [...collection.readings.values()].map((reading) => reading.finish(collection.search));
    const reader = kernel.reader();
    const lineage = [...this.#lineage];
    const sessions = new Set(processes.filter(({ inTree }) => inTree).map(({ session }) => session));
    const isRead = (pid: number) => pid === reader.pid || this.hasRead(pid);
    const restless = [
      ...new Set([
        ...collection.search.restlessRelatives(sessions, lineage),
        ...collection.search.latePids(isRead),
      ]),
    ];
    const messages = [...collection.search.lateMessages, ...this.#messages];
    return {
      format: 'unstuck-snapshot',
      version: snapshotVersion,
      probe: 'linux',
      at: new Date().toISOString(),
      host: { kernel: reader.kernel, arch: reader.arch, bootId: reader.bootId },
      reader: {
        pid: reader.pid,
        uid: reader.uid,
        lineage: ancestorsOf(reader.pid, kernel.files),
        confined: reader.confined,
      },
      relays: [...collection.relays],
      alarms: alarms === null ? null : alarms.length > 0,
      ...(alarms !== null && { alarmTimers: alarms }),
      targetPid: this.pid,
      targetLineage: lineage,
      gapMs,
      tookMs: performance.now() - this.beganMs,
      processes,
      sockets: withMessages(collection.sockets.select(socketInodes(processes, collection)), messages),
      locks: [...collection.locks],
      searched: {
        done: collection.search.scanned,
        unreadablePids: collection.search.unreadableRelatives(sessions, lineage),
        ...(restless.length > 0 && { restlessPids: restless }),
        cut: collection.search.cut ?? collection.cut ?? kernel.cut,
      },
      absent: this.#context.absent,
    };
  }

  close(): void {
    for (const reading of this.#collection.readings.values()) reading.close();
  }
}
