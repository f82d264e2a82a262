import type { Numbered, ProcessFacts, RunFacts } from './facts.js';

/** How a process is tied to a run, apart from its environment. */
export interface Tie {
  id: string;
  how: 'recorded' | 'group' | 'session' | 'lineage';
}

type Processes = ReadonlyMap<number, ProcessFacts>;

/** Ties processes to runs by what is recorded about the runs. */
export class Ties {
  readonly #processes: Processes;
  readonly #leaders = new Map<number, RunFacts>();
  readonly #shims = new Map<number, RunFacts>();
  readonly #lineage = new Map<string, string>();
  /** Sessions and groups that still belong to a command, which may itself be gone; by its pid. */
  readonly #owned: { session: Map<number, string>; group: Map<number, string> };

  constructor(processes: Processes, runs: Iterable<RunFacts>) {
    this.#processes = processes;
    for (const run of runs) {
      const { leader, shimSession, lineage } = run;
      // Pids are reused: of two runs, the newer one has it.
      if (leader !== null && !(startOf(this.#leaders.get(leader.pid)) > leader.startTicks)) {
        this.#leaders.set(leader.pid, run);
      }
      if (shimSession !== null && !(startOf(this.#shims.get(shimSession)) > startOf(run))) {
        this.#shims.set(shimSession, run);
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

  /** A shim and its helpers. They are not part of the run and do not carry its mark. */
  isHelper({ session, mark }: ProcessFacts): boolean {
    const run = this.#shims.get(session);
    if (run === undefined || mark === run.id) return false;
    const holder = this.#processes.get(session);
    // The shim is older than the command: a younger process has reused its pid.
    return holder === undefined || run.leader === null || holder.startTicks <= run.leader.startTicks;
  }

  /**
   * The kernel does not reuse a number that a session or group still has. So the number belongs to the command while
   * the command lives, or while a process in it started before the run ended.
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

/** Sessions of live shims. */
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
