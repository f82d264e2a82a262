import { isAbsent } from '../../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../../model/facts/identity.js';
import { ticksPerSecond } from '../../../model/facts/sample.js';
import type { Membership } from '../../../model/run/receipt.js';
import { bootId, type ProcessRow, readRow } from '../identity/identify.js';
import { countForks, longAgo, mayHaveTurnedOver, mayHaveWrapped } from '../machine/pid-turnover.js';
import { readText } from '../proc/proc-file.js';
import { type Claim, confirmClaims, takeHelpers, takeRelatives, tiesOf } from './membership.js';
import { RowIndex, WholeIndex } from './row-index.js';
import { TableReading } from './table-reading.js';

export interface MemberScanOptions {
  /** null: no environment proves membership. */
  runId: string | null;
  leader: ProcessIdentity;
  /** The shim, which keeps the command, its output and its exit status: the shim and its helpers are not members. */
  shim: number | null;
  /**
   * Members that were followed while the command lived. After its end, a process that has lost its parent and its
   * environment is known by this alone.
   */
  known?(): readonly KnownMember[];
}

export type KnownMember = Pick<ProcessIdentity, 'pid' | 'startTicks'>;

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

/** Shared, so that scans which know nothing yet find the same answers. */
const nothing: ReadonlySet<number> = new Set();
const noRows = new RowIndex([]);

/** Finds the processes of a run, also those that have left its session or lost their parents. */
export class MemberScan {
  readonly leader: ProcessIdentity;
  readonly shim: number | null;
  readonly #runId: string | null;
  readonly #known: () => readonly KnownMember[];
  readonly #sinceTicks: number;
  /** Forks of the machine when the command had just started; `longAgo`: it was not seen that early. */
  #bornAt = longAgo;
  /** Pids of members, and of members that have ended as long as no other process can have got the pid. */
  readonly #claims = new Map<number, Claim>();
  /** Pids that need not be read again: of a reading that is shared with other scans, and what this scan found since. */
  #settled = nothing;
  readonly #strangers = new Set<number>();
  /** The shim's own processes. */
  readonly #helpers = new Set<number>();
  #members = new Map<number, Member>();
  /** null: not read yet. */
  #ourselves: ReadonlySet<number> | null = null;
  #isWhole = true;

  constructor({ runId, leader, shim, known = () => [] }: MemberScanOptions) {
    this.leader = leader;
    this.shim = shim;
    this.#runId = runId;
    this.#known = known;
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
      if (fresh === true) this.#forgetStrangers();
      const { news, still } = table.since(this.#settled);
      this.#settled = still;
      this.#forgetGone(table.there);
      const index = this.#indexOf(news, table);
      if (fresh !== false || index.rows.length > 0 || index.unread.size > 0) this.#read(index, table);
    }
    return [...this.#members.values()].filter(({ pid }) => !ourselves.has(pid));
  }

  #forgetStrangers(): void {
    this.#settled = nothing;
    this.#strangers.clear();
    this.#helpers.clear();
  }

  #forgetGone(there: ReadonlySet<number>): void {
    for (const known of [this.#strangers, this.#helpers, this.#members]) {
      for (const pid of known.keys()) if (!there.has(pid)) known.delete(pid);
    }
  }

  /**
   * The processes that have to be read. Pids are assigned in order: until they wrap around, a process with a lower pid
   * started before the command.
   */
  #indexOf(news: readonly number[], table: TableReading): RowIndex {
    const isFirst = this.#settled === nothing && this.#strangers.size === 0;
    const unknown = isFirst ? news : news.filter((pid) => !this.#isKnown(pid));
    if (unknown.length === 0) return noRows;
    if (mayHaveWrapped(this.leader.pid, this.#bornAt, table.forks))
      return isFirst ? table.whole : table.indexOf(unknown);
    for (const pid of unknown) if (pid < this.leader.pid) this.#strangers.add(pid);
    return table.indexOf(unknown.filter((pid) => pid >= this.leader.pid));
  }

  #isKnown(pid: number): boolean {
    return this.#strangers.has(pid) || this.#helpers.has(pid) || this.#members.has(pid);
  }

  #read(index: RowIndex, table: TableReading): void {
    const { forks } = table;
    for (const { pid, startTicks } of this.#known()) {
      if (!this.#claims.has(pid)) this.#claims.set(pid, { startTicks, confirmedAt: longAgo });
    }
    const { unread } = index;
    if ([...unread].some((pid) => !this.#members.has(pid))) this.#isWhole = false;
    // Members last: a member that is still the same now was the same when its children were read.
    const { known, reused } = this.#rereadMembers();
    const again = new Map([...known, ...reused].map((row) => [row.pid, row]));
    const rowOf = (pid: number) => (this.#members.has(pid) ? again.get(pid) : index.row(pid));
    const others = new RowIndex(reused);
    const isOther = (row: ProcessRow) => !this.#members.has(row.pid) && this.#mayBelong(row);
    const tied = (number: number) => [
      ...index.tied(number).filter(isOther),
      ...others.tied(number).filter((row) => this.#mayBelong(row)),
    ];
    const before = this.#members;
    const owned = confirmClaims(this.#claims, { rowOf, unread, before, forks, mayHaveTurnedOver });
    const found = [...known];
    const taken = new Set(known.map(({ pid }) => pid));
    for (const [pid, { startTicks }] of this.#claims) {
      const row = rowOf(pid);
      if (row === undefined || row.startTicks !== startTicks || taken.has(pid)) continue;
      taken.add(pid);
      found.push(row);
    }
    found.push(...takeRelatives(tied, { owned, taken }));
    takeHelpers(tied, { shim: this.shim, helpers: this.#helpers, taken });
    const asked = [...index.toAsk(this.#runId, this.#sinceTicks)].filter(
      ({ pid }) => !this.#members.has(pid),
    );
    const marked = this.#takeMarked([...asked, ...reused], table, taken);
    for (const { pid } of marked) owned.add(pid);
    found.push(...marked, ...takeRelatives(tied, { owned, taken }));
    if (index instanceof WholeIndex && this.#isWhole) this.#settled = index.settled;
    this.#remember(found, owned, new Set(marked), forks);
  }

  /** `reused`: other processes that have the pid of a member now. */
  #rereadMembers(): { known: ProcessRow[]; reused: ProcessRow[] } {
    const known: ProcessRow[] = [];
    const reused: ProcessRow[] = [];
    for (const member of this.#members.values()) {
      const row = readRow(member.pid);
      if (isAbsent(row)) {
        if (row.absent !== 'gone') known.push(member);
      } else if (row.startTicks === member.startTicks) known.push(row);
      else reused.push(row);
    }
    return { known, reused };
  }

  #mayBelong({ pid, startTicks, kernelThread }: ProcessRow): boolean {
    return pid > 1 && pid !== this.shim && !kernelThread && startTicks >= this.#sinceTicks;
  }

  /**
   * Processes whose environment names the run. The shim's helpers have the name as well: their parents identify them.
   */
  #takeMarked(asked: Iterable<ProcessRow>, table: TableReading, taken: Set<number>): ProcessRow[] {
    const marked: ProcessRow[] = [];
    for (const row of asked) {
      if (taken.has(row.pid)) continue;
      const answer = this.#mayBelong(row) ? this.#isMarked(row, table) : 'never';
      if (answer === 'later') continue;
      if (answer === 'yes') {
        marked.push(row);
        taken.add(row.pid);
        // Its tie to the run may be a process that could not be read.
      } else if (answer === 'never' || this.#isWhole) this.#strangers.add(row.pid);
    }
    return marked;
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
