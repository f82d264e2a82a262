import { hasFailed, isAbsent } from '../model/absence.js';
import type { Membership } from '../model/receipt.js';
import { ourselvesAndAbove } from '../probe/linux/ancestors.js';
import type { Member, ScanOptions } from '../probe/linux/members.js';
import { listNumbers } from '../probe/linux/proc-file.js';
import { isOwn } from '../probe/linux/process-owner.js';
import { type ProcessRow, readRow } from '../probe/linux/process-row.js';
import { readMark } from '../probe/linux/run-marks.js';
import type { MemberSource } from '../supervise/terminate/terminate.js';
import type { Numbered } from './facts.js';
import { pidMin } from './judge-orphans.js';

export interface Root extends Numbered {
  because: Membership[];
}

export interface OrphanScanOptions {
  /** Those that are to be stopped. */
  roots: readonly Root[];
  /** Whoever bears the name of one of these runs is to be stopped as well. */
  runIds: ReadonlySet<string>;
  /** Whoever descends from a root, and bears the name of another run than these, is none of them. */
  family: ReadonlySet<string>;
  /** Known, and not to be stopped. */
  spared: readonly Numbered[];
  /** Shims of runs, and what they run for themselves. */
  keeperSessions: ReadonlySet<number>;
  never: ReadonlySet<number>;
}

/**
 * Orphans of any number of runs, and whoever they start while they are being stopped: by descent, and by the run in
 * the environment, never by anything weaker. Nobody below 100, no ancestor of ours (F4); whose rights a process has
 * is asked again before every signal.
 */
export class OrphanScan implements MemberSource {
  readonly keeper = null;
  isWhole = true;
  readonly #options: OrphanScanOptions;
  readonly #roots: ReadonlyMap<number, Root>;
  readonly #spared: Map<number, number>;
  readonly #strangers = new Set<number>();
  #members = new Map<number, Member>();
  #ourselves: ReadonlySet<number> = new Set();

  constructor(options: OrphanScanOptions) {
    this.#options = options;
    this.#roots = new Map(options.roots.map((root) => [root.pid, root]));
    this.#spared = new Map(options.spared.map(({ pid, startTicks }) => [pid, startTicks]));
    this.#lookWhoWeAre();
  }

  scan({ fresh = false }: ScanOptions = {}): Member[] {
    const pids = listNumbers('/proc');
    this.isWhole = !isAbsent(pids);
    if (isAbsent(pids)) return [...this.#members.values()];
    if (fresh === true) {
      this.#strangers.clear();
      this.#lookWhoWeAre();
    }
    this.#forgetGone(new Set(pids));
    const candidates = new Set<ProcessRow>();
    for (const pid of pids) {
      if (this.#strangers.has(pid) || this.#members.has(pid)) continue;
      const row = readRow(pid);
      if (!isAbsent(row)) this.#admit(row, candidates);
      else if (hasFailed(row)) this.isWhole = false;
    }
    // Members last: whoever is still the same now was so when its children were read.
    for (const row of this.#rereadMembers()) this.#admit(row, candidates);
    this.#takeRoots(candidates);
    this.#takeChildren(candidates);
    this.#takeMarked(candidates);
    this.#takeChildren(candidates);
    for (const { pid } of candidates) this.#strangers.add(pid);
    return [...this.#members.values()];
  }

  #lookWhoWeAre(): void {
    this.#ourselves = new Set([...ourselvesAndAbove(), ...this.#options.never]);
  }

  #forgetGone(there: ReadonlySet<number>): void {
    for (const pid of this.#strangers) if (!there.has(pid)) this.#strangers.delete(pid);
    for (const pid of this.#members.keys()) if (!there.has(pid)) this.#members.delete(pid);
  }

  /** Answers who has the number of a member that is gone. */
  #rereadMembers(): ProcessRow[] {
    const others: ProcessRow[] = [];
    for (const [pid, member] of this.#members) {
      const row = readRow(pid);
      if (!isAbsent(row) && row.startTicks === member.startTicks) {
        this.#members.set(pid, { ...row, because: member.because });
        continue;
      }
      if (isAbsent(row) && row.absent !== 'gone') continue;
      this.#members.delete(pid);
      if (!isAbsent(row)) others.push(row);
    }
    return others;
  }

  #admit(row: ProcessRow, candidates: Set<ProcessRow>): void {
    const { pid, kernelThread, ended, startTicks } = row;
    const isNobody = pid < pidMin || kernelThread || this.#ourselves.has(pid) || ended;
    if (isNobody || this.#spared.get(pid) === startTicks) this.#strangers.add(pid);
    else candidates.add(row);
  }

  #takeRoots(candidates: Set<ProcessRow>): void {
    for (const row of candidates) {
      const root = this.#roots.get(row.pid);
      if (root?.startTicks === row.startTicks) this.#take(row, root.because, candidates);
    }
  }

  #takeChildren(candidates: Set<ProcessRow>): void {
    for (let before = -1; before !== this.#members.size; ) {
      before = this.#members.size;
      for (const row of candidates) {
        const parent = this.#members.get(row.parent);
        // A child is not older than its parent: otherwise the number of the parent was somebody else's.
        if (parent === undefined || row.startTicks < parent.startTicks || this.#isKeeper(row)) continue;
        if (!isOwn(row.pid)) continue;
        const mark = readMark(row);
        if (mark !== null && mark !== 'later' && !this.#options.family.has(mark)) continue;
        this.#take(row, ['descendant'], candidates);
      }
    }
  }

  #takeMarked(candidates: Set<ProcessRow>): void {
    const { runIds } = this.#options;
    for (const row of runIds.size === 0 ? [] : candidates) {
      if (this.#isKeeper(row)) continue;
      const mark = readMark(row);
      // Not remembered as a stranger: it is asked again.
      if (mark === 'later') candidates.delete(row);
      else if (mark !== null && runIds.has(mark)) this.#takeUnlessSpared(row, candidates);
    }
  }

  /** What one that is not to be stopped has started since is not to be stopped either. */
  #takeUnlessSpared(row: ProcessRow, candidates: Set<ProcessRow>): void {
    if (this.#spared.has(row.parent)) this.#spared.set(row.pid, row.startTicks);
    else this.#take(row, ['run-id'], candidates);
  }

  #isKeeper({ session }: ProcessRow): boolean {
    return this.#options.keeperSessions.has(session);
  }

  #take(row: ProcessRow, because: Membership[], candidates: Set<ProcessRow>): void {
    candidates.delete(row);
    this.#members.set(row.pid, { ...row, because });
  }
}
