import { isAbsent } from '../../../model/facts/absence.js';
import type { NativeFacts } from '../kernel/kernel.js';
import { readEach } from '../proc/fd.js';
import type { FileHolders } from './file-holders.js';
import type { FileIdentities, FileIdentity } from './file-identities.js';
import { LateHolders } from './late-holders.js';
import { taskDirectory } from './living-directory.js';

/** Processes that have files with one link open, which many different files may have. */
class Openers {
  readonly #same = new Map<FileIdentity, Set<number>>();
  /** Those with a file that cannot be compared. */
  readonly #unknown = new Set<number>();
  /** Those that ran since their open files were listed. */
  readonly moving = new Set<number>();
  readonly #seen = new Set<number>();

  /** null: it ran since its open files were listed. */
  add(pid: number, files: readonly (FileIdentity | null)[] | null): void {
    this.#seen.add(pid);
    if (files === null) this.moving.add(pid);
    for (const file of files ?? []) {
      if (file === null) this.#unknown.add(pid);
      else this.#same.set(file, (this.#same.get(file) ?? new Set()).add(pid));
    }
  }

  has(pid: number): boolean {
    return this.#seen.has(pid);
  }

  /** Processes that have this file, and those that might. */
  of(file: FileIdentity | null): { same: ReadonlySet<number>; unknown: ReadonlySet<number> } {
    if (file === null) return { same: none, unknown: this.#seen };
    return { same: this.#same.get(file) ?? none, unknown: this.#unknown };
  }
}

const none: ReadonlySet<number> = new Set();

/** An open file that a thread waits for. */
export interface WantedFile {
  readonly task: number;
  readonly fd: number;
  readonly link: string;
  /** Its name in the snapshot, which is given to it wherever it is open. */
  readonly object: string;
}

/** Which of the processes that run have a file; null: not known. */
interface Comparison {
  /** Has the file, and stands still. */
  readonly by: WantedFile;
  readonly has: Map<number, boolean | null>;
}

/** A search through all processes that several snapshots share: made when the first of them needs it. */
export class SharedSearch {
  readonly holders: FileHolders;
  readonly #native: NativeFacts;
  readonly #identities: FileIdentities;
  readonly #isNear: (session: number) => boolean;
  readonly #openers = new Map<string, Openers>();
  readonly #comparisons = new Map<string, Map<FileIdentity, Comparison>>();
  #cut: Promise<string | null> | null = null;
  readonly late: LateHolders;

  constructor(
    holders: FileHolders,
    native: NativeFacts,
    identities: FileIdentities,
    isNear: (session: number) => boolean,
  ) {
    this.holders = holders;
    this.#native = native;
    this.#identities = identities;
    this.#isNear = isNear;
    this.late = new LateHolders(holders);
  }

  /** Why it is not complete; null: it is. */
  made(): Promise<string | null> {
    this.#cut ??= this.holders.search(this.#isNear);
    return this.#cut;
  }

  /** Files that will be asked for: a process that runs is compared with all of them at once. */
  expect(files: readonly WantedFile[]): void {
    for (const wanted of files) {
      const file = this.#identities.of(wanted.task, wanted.fd);
      const comparisons = this.#comparisonsOf(wanted.link);
      if (file !== null && !comparisons.has(file)) comparisons.set(file, { by: wanted, has: new Map() });
    }
  }

  /** Processes that have a file open that shares its link with many others, and processes that might have it. */
  openersOf(wanted: WantedFile): { same: Iterable<number>; unknown: ReadonlySet<number> } {
    const openers = this.#openers.get(wanted.link) ?? new Openers();
    this.#openers.set(wanted.link, openers);
    // Before all others: it stands still, and they are compared with it.
    const file = this.#identities.of(wanted.task, wanted.fd);
    for (const pid of this.holders.of(wanted.link))
      if (!openers.has(pid)) openers.add(pid, this.#filesOf(pid, wanted.link));
    const found = openers.of(file);
    if (file === null || openers.moving.size === 0) return found;
    const [same, unknown] = [new Set(found.same), new Set(found.unknown)];
    const comparison = this.#comparison(file, wanted);
    for (const pid of openers.moving) {
      const hasIt = this.#movingHas(pid, comparison);
      if (hasIt !== false) (hasIt ? same : unknown).add(pid);
    }
    return { same, unknown };
  }

  /** The files with this link that a process has open, null for one that cannot be compared; null: it may have moved them. */
  #filesOf(pid: number, link: string): (FileIdentity | null)[] | null {
    const files = this.holders
      .openedBy(pid, link)
      .map(({ task, fd, inRing }) => (inRing ? null : this.#identities.of(task, fd)));
    return this.holders.stoodStill(pid) ? files : null;
  }

  #comparisonsOf(link: string): Map<FileIdentity, Comparison> {
    let comparisons = this.#comparisons.get(link);
    if (comparisons === undefined) {
      comparisons = new Map();
      this.#comparisons.set(link, comparisons);
    }
    return comparisons;
  }

  /** All who wait for one file share what was found, as long as they have the same file open. */
  #comparison(file: FileIdentity, wanted: WantedFile): Comparison {
    const comparisons = this.#comparisonsOf(wanted.link);
    const known = comparisons.get(file);
    if (known !== undefined && this.#hasSame(known.by, wanted)) return known;
    const comparison = { by: wanted, has: new Map<number, boolean | null>() };
    comparisons.set(file, comparison);
    return comparison;
  }

  #hasSame(by: WantedFile, { task, fd }: WantedFile): boolean {
    return (by.task === task && by.fd === fd) || this.order(by, task, fd) === 0;
  }

  /** Whether a process that runs has the file; null: not known. Files that others will ask for are compared at once. */
  #movingHas(pid: number, mine: Comparison): boolean | null {
    const known = mine.has.get(pid);
    if (known !== undefined) return known;
    const { link } = mine.by;
    const open = [...this.#comparisonsOf(link).values()].filter((one) => one === mine || !one.has.has(pid));
    this.#compareMoving(pid, link, open);
    return mine.has.get(pid) ?? null;
  }

  /** Compares every file that a process has open while it runs. */
  #compareMoving(pid: number, link: string, comparisons: readonly Comparison[]): void {
    const { files } = this.holders;
    const same = new Set<Comparison>();
    const unknown = new Set<Comparison>();
    let isKnown = !this.holders.openedBy(pid, link).some(({ inRing }) => inRing);
    for (const table of this.holders.tablesOf(pid)) {
      const directory = `${taskDirectory(pid, table)}/fd`;
      const compare = (number: number): string | null => {
        const found = files.link(`${directory}/${number}`);
        if (isAbsent(found)) return found.absent === 'gone' ? null : '';
        if (found !== link) return found;
        let orders = found;
        for (const one of comparisons) {
          const order = this.order(one.by, table, number);
          if (order === 'closed') return null;
          if (order === null) unknown.add(one);
          if (order === 0) same.add(one);
          orders += ` ${order}`;
        }
        return orders;
      };
      const end = readEach(
        () => files.numbers(directory),
        compare,
        () => false,
      );
      if (end === 'restless') isKnown = false;
    }
    for (const one of comparisons)
      one.has.set(pid, same.has(one) || (isKnown && !unknown.has(one) ? false : null));
  }

  /** Compares a file with what a thread has open under a number; null: the kernel does not answer. */
  order(wanted: WantedFile, task: number, fd: number): -1 | 0 | 1 | null | 'closed' {
    const order = this.#native.orderOfFiles(wanted.task, wanted.fd, task, fd);
    if (order !== null) return order;
    return this.holders.files.link(`/proc/${task}/fd/${fd}`) === wanted.link ? null : 'closed';
  }

  /** Looks for what the search overlooked, if there was one. */
  lookAgain(): void {
    if (this.#cut !== null) this.late.look();
  }

  /** Processes that came since; none, if there was no search. */
  async newcomers(): Promise<number[]> {
    return this.#cut === null ? [] : this.holders.searchNew();
  }
}
