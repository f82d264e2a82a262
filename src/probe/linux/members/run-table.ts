import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessIdentity } from '../../../model/facts/identity.js';
import { bootId, type ProcessRow, readRow } from '../identity/identify.js';
import { countForks, type Given, mayHaveTurnedOver, NumbersGiven } from '../machine/pid-turnover.js';
import { listNumbers } from '../proc/proc-file.js';
import { ourselvesAndAbove } from './ancestors.js';
import type { KnownMember } from './members.js';
import { RunMarks } from './run-marks.js';

export interface WatchedRun {
  runId: string;
  leader: ProcessIdentity;
  /** The shim, which keeps the command, its output and its exit status: the shim and its helpers are not members. */
  shim: number | null;
}

interface Run extends WatchedRun {
  readonly members: Set<number>;
}

/** A process of this machine, as far as runs are concerned. A run inside a run belongs to both. */
interface Known {
  readonly startTicks: number;
  runs: readonly Run[];
  /** Runs whose shim it helps. */
  helps: readonly Run[];
  /** The last refresh that saw the process. */
  seen: number;
  /** Forks of the machine when it was read, for a command that was read between two refreshes. */
  readAt?: number;
}

const none: readonly Run[] = [];
/** Limit of pids of members that are gone: the oldest are forgotten first. */
const claimsMax = 10_000;

/**
 * The members of many runs, for sampling: one pass over /proc for all, in which only processes that were not there
 * before are read. `MemberScan` alone decides which processes are signalled; after the end of a command it takes the
 * identities from here.
 */
export class RunTable {
  readonly #runs = new Map<string, Run>();
  readonly #shims = new Map<number, Run>();
  readonly #known = new Map<number, Known>();
  /** Runs whose member had this pid and is gone: its group and session may live on. */
  readonly #claims = new Map<number, readonly Run[]>();
  readonly #marks = new RunMarks();
  readonly #numbers = new NumbersGiven();
  readonly #ourselves = ourselvesAndAbove();
  #refreshes = 0;
  /** Strangers that started after this time may be members of a run that is watched only now. */
  #reconsiderTicks = Number.POSITIVE_INFINITY;

  /** The leader of the run is known at once, all other members after the next refresh. */
  watch(run: WatchedRun): void {
    this.unwatch(run.runId);
    const watched: Run = { ...run, members: new Set() };
    this.#runs.set(run.runId, watched);
    if (run.leader.bootId !== bootId()) return;
    if (run.shim !== null) this.#shims.set(run.shim, watched);
    const { pid, startTicks } = run.leader;
    this.#reconsiderTicks = Math.min(this.#reconsiderTicks, startTicks);
    const row = readRow(pid);
    if (isAbsent(row) || row.startTicks !== startTicks) return;
    const marked = this.#markedRuns(row) ?? none;
    const runs = union([watched], union(this.#known.get(pid)?.runs ?? none, marked));
    this.#join(pid, { startTicks, runs, helps: none, seen: this.#refreshes, readAt: countForks() });
  }

  /** Returns the members that belong to no run any more. */
  unwatch(runId: string): number[] {
    const run = this.#runs.get(runId);
    if (run === undefined) return [];
    this.#runs.delete(runId);
    if (run.shim !== null && this.#shims.get(run.shim) === run) this.#shims.delete(run.shim);
    const left: number[] = [];
    for (const pid of run.members) {
      const known = this.#known.get(pid);
      if (known === undefined) continue;
      known.runs = known.runs.filter((other) => other !== run);
      if (known.runs.length === 0) left.push(pid);
    }
    for (const [number, runs] of this.#claims) {
      if (!runs.includes(run)) continue;
      if (runs.length === 1) this.#claims.delete(number);
      else
        this.#claims.set(
          number,
          runs.filter((other) => other !== run),
        );
    }
    return left;
  }

  membersOf(runId: string): ReadonlySet<number> {
    return this.#runs.get(runId)?.members ?? new Set();
  }

  identitiesOf(runId: string): KnownMember[] {
    return [...this.membersOf(runId)].flatMap((pid) => {
      const known = this.#known.get(pid);
      return known === undefined ? [] : { pid, startTicks: known.startTicks };
    });
  }

  /** A pass over /proc. */
  refresh(): void {
    // Before the list is read: a process that starts meanwhile counts as later.
    const given = this.#numbers.sinceLastTime();
    const pids = listNumbers('/proc');
    if (isAbsent(pids)) return;
    this.#refreshes += 1;
    const rows = this.#readNew(pids, given);
    this.#reconsiderTicks = Number.POSITIVE_INFINITY;
    this.#forgetGone(given);
    if (rows.length > 0) this.#place(rows);
  }

  #readNew(pids: readonly number[], given: Given): ProcessRow[] {
    const rows: ProcessRow[] = [];
    for (const pid of pids) {
      const known = this.#known.get(pid);
      const isStranger = known !== undefined && known.runs.length === 0;
      const reconsider = isStranger && known.startTicks >= this.#reconsiderTicks;
      if (known !== undefined && !reconsider && !given(pid)) {
        known.seen = this.#refreshes;
        continue;
      }
      const row = readRow(pid);
      if (isAbsent(row)) {
        if (known !== undefined && row.absent !== 'gone') known.seen = this.#refreshes;
      } else if (known?.startTicks === row.startTicks && !reconsider) known.seen = this.#refreshes;
      else rows.push(row);
    }
    return rows;
  }

  #forgetGone(given: Given): void {
    for (const number of this.#claims.keys()) if (given(number)) this.#claims.delete(number);
    for (const [pid, known] of this.#known) {
      if (known.seen === this.#refreshes) continue;
      this.#known.delete(pid);
      for (const run of known.runs) run.members.delete(pid);
      if (known.runs.length > 0 && (!given(pid) || isStillOwn(known))) this.#claims.set(pid, known.runs);
    }
    this.#marks.forget(given);
    for (const number of this.#claims.keys()) {
      if (this.#claims.size <= claimsMax) break;
      this.#claims.delete(number);
    }
  }

  #place(rows: ProcessRow[]): void {
    // Parents before their children, as a rule: then a single round is enough.
    rows.sort((a, b) => a.startTicks - b.startTicks || a.pid - b.pid);
    for (const { pid, startTicks } of rows) {
      this.#claims.delete(pid);
      this.#known.set(pid, { startTicks, runs: none, helps: none, seen: this.#refreshes });
    }
    const candidates = rows.filter((row) => this.#mayBelong(row));
    this.#tie(candidates);
    let isAnyFound = false;
    for (const row of candidates) {
      if (this.#known.get(row.pid)?.runs.length === 0) isAnyFound = this.#takeMarks(row) || isAnyFound;
    }
    if (isAnyFound) this.#tie(candidates);
  }

  #mayBelong({ pid, kernelThread }: ProcessRow): boolean {
    return pid > 1 && !kernelThread && !this.#ourselves.has(pid);
  }

  /** By parent, group and session, until no new member is found. */
  #tie(candidates: readonly ProcessRow[]): void {
    for (let found = true; found; ) {
      found = false;
      for (const row of candidates) {
        const known = this.#known.get(row.pid);
        if (known === undefined) continue;
        const runs = this.#relatedRuns(row, known);
        const helps = union(known.helps, this.#helpedRuns(row)).filter((run) => !runs.includes(run));
        if (runs.length === known.runs.length && helps.length === known.helps.length) continue;
        found = true;
        this.#join(row.pid, { ...known, runs, helps });
      }
    }
  }

  #relatedRuns({ pid, parent, group, session, startTicks, ended }: ProcessRow, known: Known): readonly Run[] {
    let runs = known.runs;
    for (const number of [parent, group, session]) {
      if (number === pid) continue;
      const owners = this.#known.get(number)?.runs ?? this.#claims.get(number) ?? none;
      if (owners.length > 0) runs = union(runs, owners);
    }
    if (runs === known.runs) return runs;
    // A process that has ended counts as long as a member has to collect it.
    const parents = this.#known.get(parent)?.runs ?? none;
    return runs.filter(
      (run) => startTicks >= run.leader.startTicks && pid !== run.shim && (!ended || parents.includes(run)),
    );
  }

  #helpedRuns({ pid, parent, session }: ProcessRow): readonly Run[] {
    let runs = this.#known.get(parent)?.helps ?? none;
    for (const number of [pid, parent]) {
      const kept = this.#shims.get(number);
      if (kept !== undefined) runs = union(runs, [kept]);
    }
    const orphaned = this.#shims.get(session);
    return orphaned === undefined || this.#known.has(session) ? runs : union(runs, [orphaned]);
  }

  /** By the environment; the shim's helpers have the id of the run in theirs as well. */
  #takeMarks(row: ProcessRow): boolean {
    const marked = this.#markedRuns(row);
    const known = this.#known.get(row.pid);
    if (known === undefined) return false;
    if (marked === null) {
      // It is read again at the next refresh.
      this.#known.delete(row.pid);
      return false;
    }
    const runs = marked.filter((run) => !known.helps.includes(run));
    if (runs.length > 0) this.#join(row.pid, { ...known, runs });
    return runs.length > 0;
  }

  /** null: not known now. */
  #markedRuns(row: ProcessRow): readonly Run[] | null {
    const names = this.#marks.read(row);
    if (names === null || names.length === 0) return names === null ? null : none;
    const runs = names.flatMap((name) => this.#runs.get(name) ?? []);
    return runs.filter(({ leader }) => row.startTicks >= leader.startTicks);
  }

  #join(pid: number, known: Known): void {
    this.#known.set(pid, known);
    for (const run of known.runs) run.members.add(pid);
  }
}

function union(some: readonly Run[], more: readonly Run[]): readonly Run[] {
  const added = more.filter((run) => !some.includes(run));
  return added.length === 0 ? some : some.length === 0 ? more : [...some, ...added];
}

/** The pid of a command that has ended since it was read was not assigned again. */
function isStillOwn({ readAt }: Known): boolean {
  return readAt !== undefined && !mayHaveTurnedOver(readAt, countForks());
}
