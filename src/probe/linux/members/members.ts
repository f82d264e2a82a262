import { hasFailed, isAbsent } from '../../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../../model/facts/identity.js';
import { ticksPerSecond } from '../../../model/facts/sample.js';
import type { Membership } from '../../../model/run/receipt.js';
import { bootId, type ProcessRow, readRow } from '../identity/identify.js';
import { countForks, longAgo, mayHaveTurnedOver, mayHaveWrapped } from '../machine/pid-turnover.js';
import { readText } from '../proc/proc-file.js';
import { type Claim, confirmClaims, takeRelatives, tiesOf } from './membership.js';
import { TableReading } from './table-reading.js';

export interface MemberScanOptions {
  /** null: no environment proves membership. */
  runId: string | null;
  leader: ProcessIdentity;
  /** The shim, which keeps the command, its output and its exit status: the shim and its helpers are not members. */
  shim: number | null;
}

/** A process of the run, as of its last reading. */
export interface Member extends ProcessRow {
  /** The strongest reason first. */
  readonly because: readonly Membership[];
}

export interface ScanOptions {
  /**
   * `'members'`: the members are read anew, too. `true`: every other process is as well, and of the remembered facts
   * only the membership counts. Otherwise only processes that were not there before are read.
   */
  fresh?: boolean | 'members';
  /** A fresh reading that other scans of the same moment share. */
  table?: TableReading;
}

type Stranger = 'helper' | 'stranger';

/** Finds the processes of a run, also those that have left its session or lost their parents. */
export class MemberScan {
  readonly leader: ProcessIdentity;
  readonly shim: number | null;
  readonly #runId: string | null;
  readonly #sinceTicks: number;
  /** Forks of the machine when the command had just started; `longAgo`: it was not seen that early. */
  #bornAt = longAgo;
  /** Pids of members, and of members that have ended as long as no other process can have got the pid. */
  readonly #claims = new Map<number, Claim>();
  readonly #strangers = new Map<number, Stranger>();
  #members = new Map<number, Member>();
  /** null: not read yet. */
  #ourselves: ReadonlySet<number> | null = null;
  #isWhole = true;

  constructor({ runId, leader, shim }: MemberScanOptions) {
    this.leader = leader;
    this.shim = shim;
    this.#runId = runId;
    const isThisBoot =
      matchIdentity(leader, { bootId: bootId(), pid: leader.pid, startTicks: leader.startTicks }) === 'same';
    this.#sinceTicks = isThisBoot ? leader.startTicks : 0;
    if (!isThisBoot || leader.pid <= 1) return;
    const forks = countForks();
    if (isNewborn(leader.startTicks)) this.#bornAt = forks;
    const row = readRow(leader.pid);
    const alive = !isAbsent(row) && row.startTicks === leader.startTicks;
    this.#claims.set(leader.pid, { startTicks: leader.startTicks, confirmedAt: alive ? forks : longAgo });
  }

  /** false: the last scan could not read every process that may belong to the run. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  scan({ fresh = false, table = new TableReading() }: ScanOptions = {}): Member[] {
    const { pids } = table;
    if (fresh === true || this.#ourselves === null) this.#ourselves = table.ourselves;
    const ourselves = this.#ourselves;
    this.#isWhole = !isAbsent(pids);
    if (!isAbsent(pids)) {
      if (fresh === true) this.#strangers.clear();
      const unknown = pids.filter((pid) => !this.#strangers.has(pid) && !this.#members.has(pid));
      this.#forgetGone(table.there);
      if (fresh !== false || unknown.length > 0) this.#read(unknown, table);
    }
    return [...this.#members.values()].filter(({ pid }) => !ourselves.has(pid));
  }

  #forgetGone(there: ReadonlySet<number>): void {
    for (const pid of this.#strangers.keys()) if (!there.has(pid)) this.#strangers.delete(pid);
    for (const pid of this.#members.keys()) if (!there.has(pid)) this.#members.delete(pid);
  }

  #read(unknown: readonly number[], table: TableReading): void {
    const { forks } = table;
    const { rows, unread } = readRows(table, this.#couldBelong(unknown, forks));
    if (unread.size > 0) this.#isWhole = false;
    // Members last: a member that is still the same now was the same when its children were read.
    const known = this.#rereadMembers(rows);
    const owned = confirmClaims(this.#claims, {
      rows: [...known, ...rows],
      unread,
      before: this.#members,
      forks,
      mayHaveTurnedOver,
    });
    const found: ProcessRow[] = [...known];
    const candidates = new Set<ProcessRow>();
    for (const row of rows) {
      if (this.#claims.get(row.pid)?.startTicks === row.startTicks) found.push(row);
      else if (this.#mayBelong(row)) candidates.add(row);
      else this.#strangers.set(row.pid, 'stranger');
    }
    found.push(...takeRelatives(candidates, owned));
    const marked = this.#takeMarked(candidates, table);
    for (const { pid } of marked) owned.add(pid);
    found.push(...marked, ...takeRelatives(candidates, owned));
    this.#remember(found, owned, new Set(marked), forks);
  }

  /** Pids are assigned in order: until they wrap around, a process with a lower pid started before the command. */
  #couldBelong(pids: readonly number[], forks: number): readonly number[] {
    if (mayHaveWrapped(this.leader.pid, this.#bornAt, forks)) return pids;
    for (const pid of pids) if (pid < this.leader.pid) this.#strangers.set(pid, 'stranger');
    return pids.filter((pid) => pid >= this.leader.pid);
  }

  /** A process that reuses the pid of a member goes to `rows`. */
  #rereadMembers(rows: ProcessRow[]): ProcessRow[] {
    const known: ProcessRow[] = [];
    for (const member of this.#members.values()) {
      const row = readRow(member.pid);
      if (isAbsent(row)) {
        if (row.absent !== 'gone') known.push(member);
      } else if (row.startTicks === member.startTicks) known.push(row);
      else rows.push(row);
    }
    return known;
  }

  #mayBelong({ pid, startTicks, kernelThread }: ProcessRow): boolean {
    return pid > 1 && pid !== this.shim && !kernelThread && startTicks >= this.#sinceTicks;
  }

  /**
   * Processes whose environment names the run. The shim's helpers have the name as well: their parents identify them.
   */
  #takeMarked(candidates: Set<ProcessRow>, table: TableReading): ProcessRow[] {
    this.#setHelpersAside(candidates);
    const marked: ProcessRow[] = [];
    for (const row of candidates) {
      const answer = this.#isMarked(row, table);
      if (answer === 'later') continue;
      if (answer === 'yes') {
        marked.push(row);
        candidates.delete(row);
        // Its tie to the run may be a process that could not be read.
      } else if (this.#isWhole) this.#strangers.set(row.pid, 'stranger');
    }
    return marked;
  }

  #setHelpersAside(candidates: Set<ProcessRow>): void {
    const { shim } = this;
    if (shim === null) return;
    const shimRow = readRow(shim);
    const shimIsGone = isAbsent(shimRow) && shimRow.absent === 'gone';
    for (let before = -1; before !== candidates.size; ) {
      before = candidates.size;
      for (const row of candidates) {
        const orphaned = shimIsGone && row.session === shim;
        if (row.parent !== shim && this.#strangers.get(row.parent) !== 'helper' && !orphaned) continue;
        this.#strangers.set(row.pid, 'helper');
        candidates.delete(row);
      }
    }
  }

  #isMarked(row: ProcessRow, table: TableReading): 'yes' | 'no' | 'later' {
    if (this.#runId === null) return 'no';
    const marks = table.marks(row);
    if (marks === 'unread') this.#isWhole = false;
    // Empty for a moment while a process becomes another program.
    if (typeof marks === 'string') return 'later';
    return marks.all.includes(this.#runId) ? 'yes' : 'no';
  }

  #remember(found: ProcessRow[], owned: Set<number>, marked: Set<ProcessRow>, forks: number): void {
    const before = this.#members;
    const running = new Set(found.filter(({ ended }) => !ended).map(({ pid }) => pid));
    this.#members = new Map();
    for (const row of found) {
      const isOld = this.#claims.has(row.pid);
      this.#claims.set(row.pid, { startTicks: row.startTicks, confirmedAt: forks });
      // Ended, and its parent, which has to collect it, is not a member.
      if (row.ended && !running.has(row.parent)) continue;
      const hasRunId = marked.has(row) || before.get(row.pid)?.because.includes('run-id') === true;
      this.#members.set(row.pid, { ...row, because: this.#reasons(row, owned, isOld, hasRunId) });
    }
  }

  #reasons(row: ProcessRow, owned: Set<number>, isOld: boolean, hasRunId: boolean): Membership[] {
    if (row.pid === this.leader.pid && row.startTicks === this.leader.startTicks) return ['leader'];
    const ties = tiesOf(row, owned);
    if (ties.length === 0 && isOld) ties.push('lineage');
    if (hasRunId) ties.push('run-id');
    return ties;
  }
}

/** Started within the last second: fewer forks ago than half the range of pids. */
function isNewborn(startTicks: number): boolean {
  const text = readText('/proc/uptime');
  return !isAbsent(text) && Number.parseFloat(text) * ticksPerSecond - startTicks < ticksPerSecond;
}

function readRows(
  table: TableReading,
  pids: readonly number[],
): { rows: ProcessRow[]; unread: ReadonlySet<number> } {
  const rows: ProcessRow[] = [];
  const unread = new Set<number>();
  for (const pid of pids) {
    const row = table.row(pid);
    if (!isAbsent(row)) rows.push(row);
    else if (hasFailed(row)) unread.add(pid);
  }
  return { rows, unread };
}
