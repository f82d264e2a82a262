import { isAbsent } from '../../model/facts/absence.js';
import { fdIndex } from '../../model/facts/fd-index.js';
import type { FdFacts, ProcessFacts, Snapshot, ThreadFacts } from '../../model/facts/snapshot.js';
import { SocketIndex } from '../../model/facts/socket-index.js';
import type { SocketFacts } from '../../model/facts/sockets.js';

/** A thread with its process: the unit that waits. */
export interface Task {
  process: ProcessFacts;
  thread: ThreadFacts;
}

export interface Holder {
  process: ProcessFacts;
  file: FdFacts;
}

/** The processes that have an object, or one end of it. */
export interface Holders {
  readonly holders: readonly Holder[];
  readonly pids: readonly number[];
  /** Those in the tree that is judged, and the others. */
  readonly insiders: readonly number[];
  readonly outsiders: readonly number[];
}

/** A thread is read a little longer than the gap between the two passes. */
function sumRanMs({ threads }: ProcessFacts, gapMs: number): number {
  return threads.reduce((sum, thread) => sum + Math.min(thread.ranMs, gapMs), 0);
}

const EPOLLIN = 1;

const none: ReadonlySet<number> = new Set();

/** An event loop that reads standard input, whether it sleeps or runs. */
function watchesInput({ fds }: ProcessFacts): boolean {
  if (isAbsent(fds)) return false;
  return fds.some(
    ({ detail }) =>
      detail?.of === 'epoll' && detail.targets.some(({ fd, events }) => fd === 0 && (events & EPOLLIN) !== 0),
  );
}

/** Facts that are looked up in a snapshot again and again. */
class Indexes {
  readonly byPid = new Map<number, ProcessFacts>();
  readonly byObject = new Map<string, Holder[]>();
  /** Those that are traced. */
  readonly tracees: readonly ProcessFacts[];
  readonly byRing = new Map<string, Set<number>>();
  readonly byMapping = new Map<string, number[]>();
  readonly sockets: SocketIndex;
  readonly children = new Map<number, number[]>();
  readonly ranMs = new Map<number, number>();

  constructor(snapshot: Snapshot) {
    for (const process of snapshot.processes) {
      this.byPid.set(process.pid, process);
      this.ranMs.set(process.pid, sumRanMs(process, snapshot.gapMs));
      this.#addChild(process);
      for (const mapping of new Set(process.sharedMappings)) this.#addMapper(mapping, process);
      for (const file of isAbsent(process.fds) ? [] : process.fds) this.#addHolder({ process, file });
      for (const file of process.fdsApart ?? []) this.#addHolder({ process, file });
    }
    this.sockets = new SocketIndex(snapshot.sockets);
    this.tracees = snapshot.processes.filter(({ tracer }) => tracer !== 0);
  }

  #addChild({ pid, parent }: ProcessFacts): void {
    const known = this.children.get(parent);
    if (known === undefined) this.children.set(parent, [pid]);
    else known.push(pid);
  }

  #addMapper(mapping: string, { pid }: ProcessFacts): void {
    const known = this.byMapping.get(mapping);
    if (known === undefined) this.byMapping.set(mapping, [pid]);
    else known.push(pid);
  }

  #addHolder(holder: Holder): void {
    const known = this.byObject.get(holder.file.object);
    if (known === undefined) this.byObject.set(holder.file.object, [holder]);
    else known.push(holder);
    this.#addRegistered(holder);
  }

  #addRegistered({ process, file: { detail } }: Holder): void {
    if (detail?.of !== 'io_uring') return;
    for (const link of detail.files ?? [])
      this.byRing.set(link, (this.byRing.get(link) ?? new Set()).add(process.pid));
  }
}

/** It was found to hold something, and then its files could not be read. */
const hidesItsFiles = ({ inTree, fds, threads }: ProcessFacts): boolean =>
  !inTree && isAbsent(fds) && threads.some(({ state }) => state !== 'Z');

/** The tree that a judgement is about: its root, its members, and the processes it descends from. */
interface Tree {
  root: number;
  members: ReadonlySet<number>;
  lineage: ReadonlySet<number>;
}

/**
 * A snapshot with the indexes that the judge needs, seen from the target or from one branch of its tree. Adds no facts.
 */
export class View {
  readonly snapshot: Snapshot;
  readonly #indexes: Indexes;
  readonly #tree: Tree;
  readonly #ends = new Map<string, Holders>();
  #searchComplete: boolean | null = null;
  /** CPU time of the whole tree between the two passes, without Unstuck's own processes. */
  readonly treeRanMs: number;

  private constructor(snapshot: Snapshot, indexes: Indexes, tree: Tree) {
    this.snapshot = snapshot;
    this.#indexes = indexes;
    this.#tree = tree;
    this.treeRanMs = 0;
    for (const pid of tree.members) if (pid !== snapshot.reader.pid) this.treeRanMs += this.ranMsOf(pid);
  }

  /** CPU time a process used between the two passes. */
  ranMsOf(pid: number): number {
    return this.#indexes.ranMs.get(pid) ?? 0;
  }

  static of(snapshot: Snapshot): View {
    const members = snapshot.processes.filter(({ inTree }) => inTree).map(({ pid }) => pid);
    return new View(snapshot, new Indexes(snapshot), {
      root: snapshot.targetPid,
      members: new Set(members),
      lineage: new Set(snapshot.targetLineage),
    });
  }

  /** The same snapshot as if this member of the tree were the target. */
  branch(root: number): View {
    const lineage = new Set(this.#tree.lineage);
    for (let at = this.process(root)?.parent; at !== undefined && !lineage.has(at); ) {
      lineage.add(at);
      at = this.process(at)?.parent;
    }
    const members = new Set([root]);
    for (const pid of members) for (const child of this.childrenOf(pid)) members.add(child);
    return new View(this.snapshot, this.#indexes, { root, members, lineage });
  }

  /** The processes of the snapshot that this process started and that still belong to it. */
  childrenOf(pid: number): readonly number[] {
    return this.#indexes.children.get(pid) ?? [];
  }

  get target(): ProcessFacts | undefined {
    return this.process(this.#tree.root);
  }

  /**
   * The run of the whole tree: its processes belong to it wherever they are. null: no run, or only a branch is judged.
   */
  get #runId(): string | null {
    const { targetPid } = this.snapshot;
    return this.#tree.root === targetPid ? (this.process(targetPid)?.runId ?? null) : null;
  }

  /** Whether a process belongs to the tree that is judged. */
  hasMember(pid: number): boolean {
    return this.#tree.members.has(pid);
  }

  get members(): ReadonlySet<number> {
    return this.#tree.members;
  }

  process(pid: number): ProcessFacts | undefined {
    return this.#indexes.byPid.get(pid);
  }

  /** The file a process has open under a number. */
  file(process: ProcessFacts, fd: number): FdFacts | undefined {
    return isAbsent(process.fds) ? undefined : fdIndex(process.fds).byNumber.get(fd);
  }

  holders(object: string): readonly Holder[] {
    return this.#indexes.byObject.get(object) ?? [];
  }

  /** Processes that another process traces, as a debugger does. */
  get tracees(): readonly ProcessFacts[] {
    return this.#indexes.tracees;
  }

  /** All holders of an object, or the living ones of one end. All who wait for it ask for it, and share the lists. */
  endOf(object: string, mode: 'read' | 'write' | 'any'): Holders {
    const key = `${mode} ${object}`;
    let end = this.#ends.get(key);
    if (end === undefined) {
      const holders = this.holders(object).filter(
        ({ file, process }) => mode === 'any' || (file[mode] && process.threads.length > 0),
      );
      const pids = [...new Set(holders.map(({ process }) => process.pid))];
      const [insiders, outsiders] = [true, false].map((inside) =>
        pids.filter((pid) => this.hasMember(pid) === inside),
      ) as [number[], number[]];
      end = { holders, pids, insiders, outsiders };
      this.#ends.set(key, end);
    }
    return end;
  }

  /** Processes that have this shared memory. */
  mappers(mapping: string): readonly number[] {
    return this.#indexes.byMapping.get(mapping) ?? [];
  }

  /** Processes with an io_uring that keeps this file open without a descriptor. */
  ringHolders(link: string): ReadonlySet<number> {
    return this.#indexes.byRing.get(link) ?? none;
  }

  /** The same object in the views of all branches: the key to what does not depend on the branch. */
  get shared(): object {
    return this.#indexes;
  }

  get sockets(): SocketIndex {
    return this.#indexes.sockets;
  }

  /** An ancestor of the target: the shell, supervisor or framework that started it. */
  isAncestor(pid: number): boolean {
    return this.#tree.lineage.has(pid) || this.snapshot.reader.pid === pid;
  }

  /**
   * A supervisor above the target that passes its own input on to the pipe or terminal of its command: the judge looks
   * through it, and never ends a chain at it. A supervisor that hides its files, or reads nothing, is no relay.
   */
  isRelay(pid: number): boolean {
    const process = this.process(pid);
    if (process === undefined || this.hasMember(pid) || !this.snapshot.relays.includes(pid)) return false;
    return this.#passesInput(process);
  }

  #passesInput(process: ProcessFacts): boolean {
    const input = this.file(process, 0);
    return input !== undefined && (input.kind === 'file' || watchesInput(process));
  }

  /** A supervisor of Unstuck inside the tree: it waits for its command. */
  isSupervisor(pid: number): boolean {
    return this.hasMember(pid) && pid !== this.snapshot.reader.pid && this.snapshot.relays.includes(pid);
  }

  /** The command of such a supervisor reads what comes from the input of the supervisor. */
  isFeeder(pid: number): boolean {
    const process = this.isSupervisor(pid) ? this.process(pid) : undefined;
    return process !== undefined && this.#passesInput(process);
  }

  /** In the tree, or of the same run: its parent may be gone. For a branch, only its descendants. */
  isOfTree({ pid, runId }: ProcessFacts): boolean {
    return this.hasMember(pid) || (runId !== null && runId === this.#runId);
  }

  /** Whether every holder on this machine was found, including those that a container hides. */
  get holdersComplete(): boolean {
    if (this.snapshot.reader.confined) return false;
    return this.searchComplete && !this.#hasUnreadMessage(() => true);
  }

  /** Whether the search for holders could have missed a relative of the tree. */
  get searchComplete(): boolean {
    this.#searchComplete ??= this.#isSearchComplete();
    return this.#searchComplete;
  }

  #isSearchComplete(): boolean {
    const { done, unreadablePids, restlessPids = [], cut } = this.snapshot.searched;
    const isOfTree = ({ inode }: SocketFacts): boolean =>
      this.holders(`socket:${inode}`).some(({ process }) => this.hasMember(process.pid));
    return (
      done &&
      unreadablePids.length === 0 &&
      restlessPids.length === 0 &&
      cut === null &&
      !this.#hasUnreadMessage(isOfTree) &&
      !this.snapshot.processes.some((process) => process.filesApart || hidesItsFiles(process))
    );
  }

  /** A message that was not read yet may carry an open file. */
  #hasUnreadMessage(concerns: (socket: SocketFacts) => boolean): boolean {
    return this.snapshot.sockets.some(
      (socket) =>
        socket.family === 'unix' && (socket.unreadFiles ?? socket.receiveQueue) > 0 && concerns(socket),
    );
  }

  /** Maps a process id of the target's own pid namespace to the pid namespace of Unstuck. */
  pidInNamespaceOf(process: ProcessFacts, pid: number): number {
    if (process.namespacePids.length <= 1) return pid;
    const depth = process.namespacePids.length - 1;
    const match = this.snapshot.processes.find((other) => other.namespacePids[depth] === pid);
    return match?.pid ?? pid;
  }
}
