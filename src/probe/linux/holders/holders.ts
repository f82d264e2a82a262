import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { classifyLink } from '../proc/fd.js';
import { locksIn } from '../proc/fdinfo.js';
import { mapsShared } from '../proc/maps.js';
import { livingDirectory, taskDirectory } from './living-directory.js';
import type { SharedSearch, WantedFile } from './shared-search.js';

/** The part of one snapshot in the search: nothing is searched before a thread waits for something. */
export class HolderSearch {
  readonly #shared: SharedSearch;
  readonly #known: () => Iterable<number>;
  readonly #objects = new Set<string>();
  readonly #wanted = new Map<string, Map<string, WantedFile>>();
  readonly #mappings = new Set<string>();
  /** Processes whose files were known without the search; null: it was not needed. */
  #without: ReadonlySet<number> | null = null;

  /** Why the search is not complete; null: it is. */
  cut: string | null = null;

  /** `known` returns the processes whose files have been read already. */
  constructor(shared: SharedSearch, known: () => Iterable<number>) {
    this.#shared = shared;
    this.#known = known;
  }

  get scanned(): boolean {
    return this.#without !== null;
  }

  /** Processes that have the object open. */
  async holdersOf(object: string): Promise<ReadonlySet<number>> {
    this.#objects.add(object);
    await this.#search();
    return this.#shared.holders.of(object);
  }

  /** Files that will be asked for with `openersOf`. */
  expect(files: readonly WantedFile[]): void {
    this.#shared.expect(files);
  }

  /** Processes that have a file open that shares its link with many others, and processes that might have it. */
  async openersOf(wanted: WantedFile): Promise<{ same: Iterable<number>; unknown: ReadonlySet<number> }> {
    const sameLink = this.#wanted.get(wanted.link);
    if (sameLink === undefined) this.#wanted.set(wanted.link, new Map([[wanted.object, wanted]]));
    else sameLink.set(wanted.object, wanted);
    await this.#search();
    return this.#shared.openersOf(wanted);
  }

  /** fdinfo of each open file that the search has found to be this object; absent: it has none, or was closed. */
  *infosOf(object: string): Generator<string | Absent> {
    const { holders } = this.#shared;
    for (const pid of holders.of(object)) {
      for (const { task, fd, inRing } of holders.openedBy(pid, object)) {
        const directory = taskDirectory(pid, task);
        const link = holders.files.link(`${directory}/fd/${fd}`);
        const isSame = inRing !== true && !isAbsent(link) && classifyLink(link, null).object === object;
        yield isSame ? holders.files.text(`${directory}/fdinfo/${fd}`) : { absent: 'gone' };
      }
    }
  }

  /** Processes that have the file open, without those that hold no lock of this type through it. */
  async mayLock(object: string, type: string): Promise<number[]> {
    const found: number[] = [];
    const pids = await this.holdersOf(object);
    const { holders } = this.#shared;
    for (const pid of pids) {
      const infos = holders
        .openedBy(pid, object)
        .map(({ task, fd }) => holders.files.text(`${taskDirectory(pid, task)}/fdinfo/${fd}`));
      if (infos.some((info) => isAbsent(info) || locksIn(info, type) > 0)) found.push(pid);
    }
    return found;
  }

  socketInodes(): Iterable<number> {
    return this.#shared.holders.socketInodes();
  }

  /** Whether a thread waits for this object. */
  isSearched(object: string): boolean {
    return this.#objects.has(object);
  }

  /** Of event loops and timers: those under this number that other processes wait for; null: it is closed now. */
  searchedUnder(task: number, fd: number, link: string): string[] | null {
    const found: string[] = [];
    for (const wanted of this.#wanted.get(link)?.values() ?? []) {
      const order = wanted.task === task ? 1 : this.#shared.order(wanted, task, fd);
      if (order === 'closed') return null;
      if (order === 0 || order === null) found.push(wanted.object);
    }
    return found;
  }

  /** The objects that were searched for, and that this process had open then. */
  heldBy(pid: number): string[] {
    return [...this.#objects].filter((object) => this.#shared.holders.holds(pid, object));
  }

  /** Some processes may not be read. */
  get hasUnreadable(): boolean {
    return this.#shared.holders.unreadable.size > 0;
  }

  /** Processes that map this device and inode shared. */
  async mappersOf(mapping: string): Promise<number[]> {
    this.#mappings.add(mapping);
    await this.#search();
    const { pids, isWhole } = await this.#shared.holders.mappersOf(mapping);
    if (!isWhole) this.cut ??= 'the memory maps of other processes were not read';
    return pids;
  }

  /** Whether the process has an object that was searched for. */
  concerns(pid: number): boolean {
    for (const object of this.#objects) if (this.#shared.holders.holds(pid, object)) return true;
    if (this.#mappings.size === 0) return false;
    const { files } = this.#shared.holders;
    const maps = files.text(`${livingDirectory(files, pid)}/maps`);
    return !isAbsent(maps) && [...this.#mappings].some((mapping) => mapsShared(maps, mapping));
  }

  /** Processes that may share files with the tree, and that this user may not read. */
  unreadableRelatives(sessions: ReadonlySet<number>, lineage: readonly number[]): number[] {
    return this.#relatives(this.#shared.holders.unreadable, sessions, lineage);
  }

  /** Processes that may share files with the tree, and that open and close files all the time. */
  restlessRelatives(sessions: ReadonlySet<number>, lineage: readonly number[]): number[] {
    return this.#relatives(this.#shared.holders.restless, sessions, lineage);
  }

  /** Processes that had something at a later moment which was searched for, and were not read. */
  latePids(isRead: (pid: number) => boolean): number[] {
    const pids = new Set([...this.#objects].flatMap((object) => [...this.#shared.late.of(object)]));
    return [...pids].filter((pid) => !isRead(pid));
  }

  /** Sockets that had open files in unread messages at a later moment. */
  get lateMessages(): Iterable<SocketFacts> {
    return this.#objects.size === 0 ? [] : this.#shared.late.messages;
  }

  /**
   * Those of some processes, which were not read, that may share files with the tree: members of its sessions, and its
   * ancestors up to the nearest that was read. A file from further up would have passed through that ancestor.
   */
  #relatives(
    unreadable: ReadonlyMap<number, number>,
    sessions: ReadonlySet<number>,
    lineage: readonly number[],
  ): number[] {
    const without = this.#without;
    if (without === null) return [];
    const hidden = (pid: number) => unreadable.has(pid) && !without.has(pid);
    const readable = lineage.findIndex((pid) => !hidden(pid));
    const parents = readable < 0 ? lineage : lineage.slice(0, readable);
    return [...unreadable.keys()].filter((pid) => {
      if (without.has(pid)) return false;
      return parents.includes(pid) || (!lineage.includes(pid) && sessions.has(unreadable.get(pid) ?? -1));
    });
  }

  async #search(): Promise<void> {
    this.#without ??= new Set(this.#known());
    this.cut = await this.#shared.made();
  }
}

/** Device and inode of a FIFO that is open under a path; null: it is something else. */
export function fifoObject(dir: ProcessDir, name: string): string | null {
  const stat = dir.stat(name);
  return isAbsent(stat) || !stat.fifo ? null : `fifo:${stat.device}:${stat.inode}`;
}
