import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { mapsShared } from '../proc/maps.js';
import type { FileHolders } from './file-holders.js';
import { livingDirectory } from './living-directory.js';

/** A search through all processes that several snapshots share: made when the first of them needs it. */
export class SharedSearch {
  readonly holders: FileHolders;
  readonly #isNear: (session: number) => boolean;
  #cut: Promise<string | null> | null = null;

  constructor(holders: FileHolders, isNear: (session: number) => boolean) {
    this.holders = holders;
    this.#isNear = isNear;
  }

  /** Why it is not complete; null: it is. */
  made(): Promise<string | null> {
    this.#cut ??= this.holders.search(this.#isNear);
    return this.#cut;
  }

  /** Processes that came since; none, if there was no search. */
  async newcomers(): Promise<number[]> {
    return this.#cut === null ? [] : this.holders.searchNew();
  }
}

/** The part of one snapshot in the search: nothing is searched before a thread waits for something. */
export class HolderSearch {
  readonly #shared: SharedSearch;
  readonly #known: () => Iterable<number>;
  readonly #objects = new Set<string>();
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

  /** Processes that have a file with this link open, which many different files may have. */
  async openersOf(link: string): Promise<ReadonlySet<number>> {
    await this.#search();
    return this.#shared.holders.of(link);
  }

  /** The numbers under which a process of the search has the object open, and the thread that shows them. */
  openedBy(pid: number, object: string): { task: number; numbers: readonly number[] } {
    return this.#shared.holders.openedBy(pid, object);
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

  /**
   * Unreadable processes that may share files with the tree: members of its sessions, and its ancestors up to the
   * nearest readable ancestor. A file from further up would have passed through that ancestor.
   */
  unreadableRelatives(sessions: ReadonlySet<number>, lineage: readonly number[]): number[] {
    const without = this.#without;
    if (without === null) return [];
    const unreadable = this.#shared.holders.unreadable;
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
