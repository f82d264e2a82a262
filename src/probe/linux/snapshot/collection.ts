import { isAbsent } from '../../../model/facts/absence.js';
import { filterListener, isHeldByFilter } from '../../../model/facts/calls.js';
import type { FdFacts, FileLockFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import { HolderSearch } from '../holders/holders.js';
import { LockHolders } from '../holders/lock-holders.js';
import { attendedRun } from '../holders/own-runs.js';
import { nameFifos, refineFiles } from '../holders/refine-files.js';
import {
  expectSharers,
  fileSharers,
  mayMap,
  memorySharers,
  nameAnonymousFiles,
  noteFilesApart,
} from '../holders/shared-objects.js';
import type { SharedSearch } from '../holders/shared-search.js';
import { startTicks } from '../identity/identify.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { mapsShared, unnamedFileOf } from '../proc/maps.js';
import type { SocketTable } from '../sockets/sockets.js';
import { ProcessReading } from './process.js';
import type { ReadContext } from './read-context.js';
import {
  otherEnds,
  sharedFutexMappings,
  waitedFiles,
  waitedPids,
  waitsForChild,
  waitsForFileLock,
  wakesByItself,
} from './waited-objects.js';

export const treeProcessesMax = 5000;
const outsidersMax = 48;
/** Of more processes, maps are read only where shared memory is waited for. */
const mapsReadMax = 64;
const outsiderRoundsMax = 4;

/** First pass over everything an answer needs: the tree, then the processes at the other end of a wait. */
export class Collection {
  readonly readings = new Map<number, ProcessReading>();
  readonly sockets: SocketTable;
  readonly search: HolderSearch;
  readonly #locks: LockHolders;
  cut: string | null = null;
  readonly #sessions = new Set<number>();
  #hasReadAgain = false;
  /**
   * Unstuck's own supervisors above the target and inside its tree: the other end of their input is searched for, too.
   */
  relays: readonly number[] = [];
  readonly #context: ReadContext;

  constructor(context: ReadContext, search: SharedSearch, sockets: SocketTable) {
    this.#context = context;
    this.sockets = sockets;
    this.search = new HolderSearch(search, () => this.readings.keys());
    const reading = (pid: number) => this.readings.get(pid) ?? this.#add(pid, false);
    this.#locks = new LockHolders(context, this.search, reading, () => [...this.readings.keys()]);
  }

  hasSession(session: number): boolean {
    return this.#sessions.has(session);
  }

  /**
   * What nothing shows, as an alarm, could matter: no thread of the tree runs, and not all of its processes sleep for a while, or
   * wait for children that do. The list of all timers takes the kernel long where there are many, such as one for each that
   * sleeps.
   */
  get isStill(): boolean {
    const tree = [...this.readings.values()].flatMap(({ facts }) => (facts.inTree ? [facts] : []));
    const isStill = tree.every(({ threads }) => threads.every(({ state }) => state !== 'R'));
    return isStill && !tree.every(wakesByItself);
  }

  /** The target and its descendants, breadth first. */
  addTree(target: number): void {
    const queue = [target];
    for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
      const reading = this.#add(pid, true);
      if (reading === null) continue;
      const children = reading.children;
      if (isAbsent(children)) this.#context.miss('children', pid, children.absent);
      else {
        reading.facts.children = children;
        queue.push(...children);
      }
      if (this.readings.size >= treeProcessesMax && queue.length > 0) {
        this.#context.miss('children', pid, 'limit', `${treeProcessesMax} processes`);
        return;
      }
    }
  }

  /** Processes of the same run that have left the tree. */
  addMembers(pids: readonly number[]): void {
    for (const pid of pids) if (this.readings.size < treeProcessesMax) this.#add(pid, false);
  }

  /** The holders of the other end of what the processes read so far wait for, and of what those wait for. */
  async addOutsiders(): Promise<void> {
    await this.#follow([...this.readings.values()]);
  }

  /** Adds the processes that came since the search and hold a searched object; false: no process does. */
  async addNewcomers(pids: readonly number[]): Promise<boolean> {
    const wanted = new Set(pids.filter((pid) => this.search.concerns(pid)));
    const isNew = new Set(pids.filter((pid) => !this.readings.has(pid)));
    for (const { facts } of isNew.size === 0 ? [] : this.readings.values()) {
      const sharers = await fileSharers(this.#context, this.search, facts, (pid) => isNew.has(pid));
      for (const pid of sharers) wanted.add(pid);
    }
    const added = this.#addWanted(wanted);
    await this.#follow(added);
    return added.length > 0;
  }

  async #follow(first: ProcessReading[]): Promise<void> {
    let newest = first;
    for (let round = 0; round < outsiderRoundsMax && newest.length > 0; round += 1) {
      for (const { facts } of newest) this.#readSockets(facts);
      for (const reading of newest) this.#checkSockets(reading);
      refineFiles(this.#context, newest);
      nameFifos([...this.readings.values()].map(({ facts }) => facts));
      expectSharers(
        this.search,
        newest.map(({ facts }) => facts),
      );
      const wanted = new Set<number>();
      for (const reading of newest) for (const pid of await this.#otherSides(reading)) wanted.add(pid);
      newest = this.#addWanted(wanted);
    }
  }

  #addWanted(pids: Iterable<number>): ProcessReading[] {
    const added: ProcessReading[] = [];
    for (const pid of pids) {
      if (this.readings.has(pid)) continue;
      if (this.readings.size - this.#treeSize() >= outsidersMax) {
        this.cut = `only ${outsidersMax} processes outside the tree were read`;
        return [];
      }
      const reading = this.#add(pid, false);
      if (reading !== null) added.push(reading);
    }
    return added;
  }

  get locks(): readonly FileLockFacts[] {
    return this.#locks.rows;
  }

  #readSockets({ fds, pid }: ProcessFacts): void {
    if (!isAbsent(fds) && fds.some(({ kind }) => kind === 'socket'))
      this.sockets.addSpaceOf(pid, this.#context);
  }

  /** Sockets that are waited on and not in the table: closed since, or opened after the table was read. */
  #checkSockets({ facts, dir }: ProcessReading): void {
    // A leader that ended before its threads shows no files of its own.
    if (facts.state === 'Z') return;
    for (const file of new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)))) {
      if (file.kind !== 'socket' || this.sockets.index.of(file) !== undefined) continue;
      const link = dir.link(`fd/${file.fd}`);
      if (isAbsent(link) ? link.absent === 'gone' : link !== file.link) file.closed = true;
      if (file.closed || this.#hasReadAgain) continue;
      this.#hasReadAgain = true;
      this.sockets.addNewSocketsOf(facts.pid, this.#context);
    }
  }

  #treeSize(): number {
    let size = 0;
    for (const { facts } of this.readings.values()) if (facts.inTree) size += 1;
    return size;
  }

  #add(pid: number, inTree: boolean): ProcessReading | null {
    if (this.readings.has(pid)) return null;
    const reading = ProcessReading.start(this.#context, pid, inTree);
    if (isAbsent(reading)) {
      if (reading.absent !== 'gone') this.#skip(pid, inTree);
      return null;
    }
    this.readings.set(pid, reading);
    this.#sessions.add(reading.facts.session);
    return reading;
  }

  /** A process that is there and cannot be read: what it could do is not known. */
  #skip(pid: number, inTree: boolean): void {
    const [target] = this.readings.keys();
    if (inTree && target !== undefined) this.#context.miss('children', target, 'limit', `process ${pid}`);
    else this.cut ??= `process ${pid} outside the tree was not read`;
  }

  async #otherSides(reading: ProcessReading): Promise<Set<number>> {
    const { facts, dir } = reading;
    const pids = new Set<number>();
    const awaited = facts.threads.flatMap((thread) =>
      waitedFiles(facts, thread).map((file) => ({ file, call: thread.call })),
    );
    for (const { file, call } of [...awaited, ...this.#ownInput(facts)]) {
      for (const object of otherEnds(file, this.sockets.index, call)) {
        for (const pid of await this.search.holdersOf(object)) pids.add(pid);
      }
    }
    const attended = this.#attend(facts);
    if (attended !== null) pids.add(attended);
    for (const thread of facts.threads) {
      for (const pid of waitedPids(facts, thread)) pids.add(pid);
      if (waitsForFileLock(thread))
        for (const pid of await this.#locks.holdersFor(facts, thread)) pids.add(pid);
      if (waitsForChild(thread)) for (const pid of this.#context.tracees.of(facts)) pids.add(pid);
      if (!facts.inTree && waitsForChild(thread)) {
        const children = reading.children;
        facts.children = isAbsent(children) ? [] : children;
        for (const pid of facts.children) pids.add(pid);
      }
    }
    for (const mapping of new Set(sharedFutexMappings(facts))) {
      for (const pid of await this.search.mappersOf(mapping)) pids.add(pid);
      const file = unnamedFileOf(mapping);
      if (file !== null) for (const pid of await this.search.holdersOf(`file:${file}`)) pids.add(pid);
    }
    // Those that were read are compared when all are known.
    const isUnread = (pid: number) => !this.readings.has(pid);
    for (const pid of await fileSharers(this.#context, this.search, facts, isUnread)) pids.add(pid);
    facts.memorySharers = memorySharers(this.#context, facts);
    noteFilesApart(this.#context, facts, dir);
    for (const pid of facts.memorySharers ?? []) pids.add(pid);
    if (facts.threads.some(({ state }) => state === 't')) pids.add(facts.tracer);
    // A stopped process may be continued by its parent.
    if (facts.threads.some(({ state }) => state === 'T') && facts.parent > 1) pids.add(facts.parent);
    if (facts.threads.some(isHeldByFilter))
      for (const pid of await this.search.holdersOf(filterListener)) pids.add(pid);
    pids.delete(0);
    return pids;
  }

  /** For a client of the daemon: the run that it waits for, if it still exists. */
  #attend(facts: ProcessFacts): number | null {
    const run = attendedRun(this.#context.kernel.files, facts, this.sockets.index);
    if (run === null || startTicks(run.pid, this.#context.kernel.files.bytes) !== run.startTicks) return null;
    facts.attends = run.pid;
    return run.pid;
  }

  /** The input of a supervisor of Unstuck: it may be this very process, which runs and so shows no wait. */
  #ownInput({ pid, fds }: ProcessFacts): { file: FdFacts; call: ThreadFacts['call'] }[] {
    const file = isAbsent(fds) || !this.relays.includes(pid) ? undefined : fds.find(({ fd }) => fd === 0);
    return file === undefined ? [] : [{ file, call: { at: 'running' } }];
  }

  /** Sockets with unread messages that may carry a file that was searched for. */
  async messages(): Promise<readonly SocketFacts[]> {
    if (!this.search.scanned) return [];
    const known = new Map<number, { dir: ProcessDir; fd: number }[]>();
    for (const { facts, dir } of this.readings.values()) {
      for (const { kind, object, fd } of isAbsent(facts.fds) ? [] : facts.fds) {
        if (kind !== 'socket') continue;
        const inode = Number(object.slice('socket:'.length));
        const openings = known.get(inode);
        if (openings === undefined) known.set(inode, [{ dir, fd }]);
        else openings.push({ dir, fd });
      }
    }
    const { search } = this;
    const { sockets, isWhole } = await this.#context.messages.find({
      *inodes() {
        yield* known.keys();
        yield* search.socketInodes();
      },
      *infosOf(inode) {
        for (const { dir, fd } of known.get(inode) ?? []) yield dir.text(`fdinfo/${fd}`);
        yield* search.infosOf(`socket:${inode}`);
      },
      hasUnreadable: search.hasUnreadable,
    });
    if (!isWhole) this.cut ??= 'not every socket was asked for messages that are not read';
    return sockets;
  }

  /** Gives a file that several processes have open a common name. */
  nameSharedFiles(): void {
    nameAnonymousFiles(this.#context, [...this.readings.values()]);
  }

  /** An io_uring goes on when its descriptor was closed, as liburing does. Then only the maps show that there is one. */
  noteHiddenRings(): void {
    if (!this.search.scanned || !this.isStill || this.readings.size > mapsReadMax) return;
    for (const { facts, dir } of this.readings.values()) {
      if (isAbsent(facts.fds) || facts.fds.some(({ kind }) => kind === 'io_uring')) continue;
      const maps = dir.text('maps');
      if (!isAbsent(maps) && maps.includes('anon_inode:[io_uring]')) facts.filesApart = true;
    }
  }

  /** Records for every process which of the waited-for shared mappings it has, or can make. */
  noteSharedMappings(): void {
    const wanted = new Set([...this.readings.values()].flatMap(({ facts }) => sharedFutexMappings(facts)));
    if (wanted.size === 0) return;
    for (const { facts, dir } of this.readings.values()) {
      const living = facts.state === 'Z' ? facts.threads.find(({ state }) => state !== 'Z') : undefined;
      const maps = dir.text(living === undefined ? 'maps' : `task/${living.tid}/maps`);
      if (isAbsent(maps)) this.#context.miss('maps', facts.pid, maps.absent);
      else
        facts.sharedMappings = [...wanted].filter(
          (mapping) => mapsShared(maps, mapping) || mayMap(dir, facts.fds, mapping),
        );
    }
  }
}
