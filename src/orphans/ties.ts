import type { Numbered, ProcessFacts, RunFacts } from './facts.js';

/** How a process is tied to a run, its environment aside. */
export interface Tie {
  id: string;
  how: 'recorded' | 'group' | 'session' | 'lineage';
}

type Processes = ReadonlyMap<number, ProcessFacts>;

/** Which processes are tied to which runs by what was recorded of them. */
export class Ties {
  readonly #processes: Processes;
  readonly #leaders = new Map<number, RunFacts>();
  readonly #keepers = new Map<number, RunFacts>();
  readonly #lineage = new Map<string, string>();
  /** Sessions and groups that are still those of a command that may be gone, by its number. */
  readonly #owned: { session: Map<number, string>; group: Map<number, string> };

  constructor(processes: Processes, runs: Iterable<RunFacts>) {
    this.#processes = processes;
    for (const run of runs) {
      const { leader, keeperSession, lineage } = run;
      // A number comes again: of two runs, the newer one has it.
      if (leader !== null && !(startOf(this.#leaders.get(leader.pid)) > leader.startTicks)) {
        this.#leaders.set(leader.pid, run);
      }
      if (keeperSession !== null && !(startOf(this.#keepers.get(keeperSession)) > startOf(run))) {
        this.#keepers.set(keeperSession, run);
      }
      for (const entry of lineage) this.#lineage.set(keyOf(entry), run.id);
    }
    this.#owned = { session: this.#ownedBy('session'), group: this.#ownedBy('group') };
  }

  /** The strongest first. */
  to({ pid, startTicks, session, group }: ProcessFacts): Tie[] {
    const ties: Tie[] = [];
    const leads = this.#leaders.get(pid);
    if (leads?.leader?.startTicks === startTicks) ties.push({ id: leads.id, how: 'recorded' });
    const byGroup = group === pid ? undefined : this.#owned.group.get(group);
    if (byGroup !== undefined) ties.push({ id: byGroup, how: 'group' });
    const bySession = session === pid ? undefined : this.#owned.session.get(session);
    if (bySession !== undefined) ties.push({ id: bySession, how: 'session' });
    const seenIn = this.#lineage.get(keyOf({ pid, startTicks }));
    if (seenIn !== undefined) ties.push({ id: seenIn, how: 'lineage' });
    return ties;
  }

  /** The shim of a run and what it runs for itself: they are no part of the run, whose name they do not bear. */
  isHelper({ session, mark }: ProcessFacts): boolean {
    const run = this.#keepers.get(session);
    if (run === undefined || mark === run.id) return false;
    const holder = this.#processes.get(session);
    // The shim was there before the command: whoever came later has only got its number.
    return holder === undefined || run.leader === null || holder.startTicks <= run.leader.startTicks;
  }

  /**
   * The kernel gives no number away that a session or a group still bears. So it is that of the command as long as
   * the command lives, or as somebody is in it who came before the run was over.
   */
  #ownedBy(kind: 'session' | 'group'): Map<number, string> {
    const owned = new Map<number, string>();
    for (const process of this.#processes.values()) {
      const run = this.#leaders.get(process[kind]);
      if (run === undefined || run.leader === null) continue;
      const holder = this.#processes.get(run.leader.pid);
      if (holder !== undefined ? holder.startTicks === run.leader.startTicks : cameInTime(process, run)) {
        owned.set(run.leader.pid, run.id);
      }
    }
    return owned;
  }
}

/** Sessions of shims that are there now. */
export function helperSessions(processes: Processes, runs: Iterable<RunFacts>): Set<number> {
  const ties = new Ties(processes, runs);
  const helpers = [...processes.values()].filter((process) => ties.isHelper(process));
  return new Set(helpers.map(({ session }) => session));
}

function cameInTime({ startTicks }: Numbered, { leader, endedTicks }: RunFacts): boolean {
  return (
    leader !== null && startTicks >= leader.startTicks && (endedTicks === null || startTicks <= endedTicks)
  );
}

function startOf(run: RunFacts | undefined): number {
  return run?.leader?.startTicks ?? -1;
}

function keyOf({ pid, startTicks }: Numbered): string {
  return `${pid} ${startTicks}`;
}
