import { hasFailed, isAbsent } from '../model/facts/absence.js';
import type { Membership } from '../model/run/receipt.js';
import { listNumbers } from '../probe/machine.js';
import type { Member, ScanOptions } from '../probe/members.js';
import { readMark } from '../probe/members.js';
import { isOwn, ourselvesAndAbove, type ProcessRow, readRow } from '../probe/processes.js';
import type { MemberSource } from '../run/stop/terminate.js';
import type { Numbered } from './facts.js';
import { pidMin } from './judge-orphans.js';

export interface Root extends Numbered {
  because: Membership[];
}

export interface OrphanScanOptions {
  /** The orphans to stop. */
  roots: readonly Root[];
  /** Every process marked with one of these runs is stopped too. */
  runIds: ReadonlySet<string>;
  /** A descendant of a root that is marked with a run outside this set is left alone. */
  family: ReadonlySet<string>;
  /** Orphans to leave alone. */
  spared: readonly Numbered[];
  /** Sessions of shims and their helper processes. */
  shimSessions: ReadonlySet<number>;
  never: ReadonlySet<number>;
}

/**
 * Finds orphans of any number of runs, and the processes they start while being stopped: by descent and by the run id
 * in the environment, never by weaker evidence. Pids below 100 and our own ancestors are excluded. The owner of a
 * process is checked again before every signal.
 */
export class OrphanScan implements MemberSource {
  readonly shim = null;
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
    this.#refreshOurselves();
  }

  scan({ fresh = false }: ScanOptions = {}): Member[] {
    const pids = listNumbers('/proc');
    this.isWhole = !isAbsent(pids);
    if (isAbsent(pids)) return [...this.#members.values()];
    if (fresh === true) {
      this.#strangers.clear();
      this.#refreshOurselves();
    }
    this.#forgetGone(new Set(pids));
    const candidates = new Set<ProcessRow>();
    for (const pid of pids) {
      if (this.#strangers.has(pid) || this.#members.has(pid)) continue;
      const row = readRow(pid);
      if (!isAbsent(row)) this.#admit(row, candidates);
      else if (hasFailed(row)) this.isWhole = false;
    }
    // Members are read last: a member that is still the same process was so when its children were read.
    for (const row of this.#rereadMembers()) this.#admit(row, candidates);
    this.#takeRoots(candidates);
    this.#takeChildren(candidates);
    this.#takeMarked(candidates);
    this.#takeChildren(candidates);
    for (const { pid } of candidates) this.#strangers.add(pid);
    return [...this.#members.values()];
  }

  #refreshOurselves(): void {
    this.#ourselves = new Set([...ourselvesAndAbove(), ...this.#options.never]);
  }

  #forgetGone(there: ReadonlySet<number>): void {
    for (const pid of this.#strangers) if (!there.has(pid)) this.#strangers.delete(pid);
    for (const pid of this.#members.keys()) if (!there.has(pid)) this.#members.delete(pid);
  }

  /** Returns the processes that reuse the pid of a member that is gone. */
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
    const isExcluded = pid < pidMin || kernelThread || this.#ourselves.has(pid) || ended;
    if (isExcluded || this.#spared.get(pid) === startTicks) this.#strangers.add(pid);
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
        // A child is not older than its parent: otherwise the parent's pid was reused.
        if (parent === undefined || row.startTicks < parent.startTicks || this.#isShim(row)) continue;
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
      if (this.#isShim(row)) continue;
      const mark = readMark(row);
      // Not remembered as a stranger: it is read again.
      if (mark === 'later') candidates.delete(row);
      else if (mark !== null && runIds.has(mark)) this.#takeUnlessSpared(row, candidates);
    }
  }

  /** A child started since by a spared process is spared as well. */
  #takeUnlessSpared(row: ProcessRow, candidates: Set<ProcessRow>): void {
    if (this.#spared.has(row.parent)) this.#spared.set(row.pid, row.startTicks);
    else this.#take(row, ['run-id'], candidates);
  }

  #isShim({ session }: ProcessRow): boolean {
    return this.#options.shimSessions.has(session);
  }

  #take(row: ProcessRow, because: Membership[], candidates: Set<ProcessRow>): void {
    candidates.delete(row);
    this.#members.set(row.pid, { ...row, because });
  }
}
