import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { mapsShared } from '../proc/maps.js';
import type { FileHolders } from './file-holders.js';
import type { FileIdentities, FileIdentity } from './file-identities.js';
import { livingDirectory } from './living-directory.js';

/** Processes that have files with one link open, which many different files may have. */
class Openers {
  readonly #same = new Map<FileIdentity, Set<number>>();
  /** Those with a file that cannot be compared. */
  readonly #unknown = new Set<number>();
  readonly #seen = new Set<number>();

  add(pid: number, files: readonly (FileIdentity | null)[]): void {
    this.#seen.add(pid);
    for (const file of files) {
      if (file === null) this.#unknown.add(pid);
      else this.#same.set(file, (this.#same.get(file) ?? new Set()).add(pid));
    }
  }

  has(pid: number): boolean {
    return this.#seen.has(pid);
  }

  /** Processes that have this file, and those that might. */
  of(file: FileIdentity | null): { same: Iterable<number>; unknown: ReadonlySet<number> } {
    if (file === null) return { same: [], unknown: this.#seen };
    return { same: this.#same.get(file) ?? [], unknown: this.#unknown };
  }
}

/** A search through all processes that several snapshots share: made when the first of them needs it. */
export class SharedSearch {
  readonly holders: FileHolders;
  readonly #isNear: (session: number) => boolean;
  readonly #openers = new Map<string, Openers>();
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

  /** Processes that have a file with this link open. */
  openers(link: string, identities: FileIdentities): Openers {
    let openers = this.#openers.get(link);
    if (openers === undefined) {
      openers = new Openers();
      this.#openers.set(link, openers);
    }
    for (const pid of this.holders.of(link)) {
      if (openers.has(pid)) continue;
      const { task, numbers } = this.holders.openedBy(pid, link);
      openers.add(
        pid,
        numbers.map((fd) => identities.of(task, fd)),
      );
    }
    return openers;
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

  /** Processes that have a file open that shares its link with many others, and processes that might have it. */
  async openersOf(
    link: string,
    file: FileIdentity | null,
    identities: FileIdentities,
  ): Promise<{ same: Iterable<number>; unknown: ReadonlySet<number> }> {
    await this.#search();
    return this.#shared.openers(link, identities).of(file);
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
