import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type KnownMember, RunTable } from '../../probe/members.js';
import { Sampler, tcpStatesOfTick } from '../../probe/samples.js';
import { CrowdMember, type CrowdRun, type CrowdSample } from './crowd-run.js';
import { CrowdSnapshots } from './crowd-snapshots.js';

/** After this many runs of a tick, pending requests are answered. */
const runsAtOnceMax = 100;
/** A caller that cannot wait for a tick gets a process table that is at most this old, or so many times as old as it took. */
const pidsAgeMsMax = 100;
const refreshShare = 20;

/** Runs that are sampled at the same moments. */
interface Beat {
  readonly members: Map<string, CrowdMember>;
  readonly timer: NodeJS.Timeout;
  isTicking: boolean;
}

/** Monitors many runs at once: a single pass over /proc and a single sweep per tick for all of them. */
export class Crowd {
  readonly #table = new RunTable();
  readonly #sampler = new Sampler();
  readonly #snapshots = new CrowdSnapshots();
  readonly #members = new Map<string, CrowdMember>();
  readonly #beats = new Map<number, Beat>();
  #refreshedMs = Number.NEGATIVE_INFINITY;
  #refreshTookMs = 0;

  add(run: CrowdRun): void {
    this.remove(run.id);
    const member = new CrowdMember(run, this.#snapshots.admit, (one) => this.#read([one]));
    this.#members.set(run.id, member);
    this.#snapshots.welcome();
    this.#table.watch({ runId: run.id, leader: run.leader, shim: run.shim });
    // The processes that were read before do not include those of this run.
    this.#refreshedMs = Number.NEGATIVE_INFINITY;
    const { sampleMs } = run;
    if (sampleMs > 0) this.#beatOf(sampleMs).members.set(run.id, member);
  }

  /** The run gets no further callbacks. */
  remove(id: string): void {
    const member = this.#members.get(id);
    if (member === undefined) return;
    this.#members.delete(id);
    member.leave();
    for (const pid of this.#table.unwatch(id)) this.#sampler.remove(pid);
    const { sampleMs } = member.run;
    const beat = this.#beats.get(sampleMs);
    beat?.members.delete(id);
    if (beat === undefined || beat.members.size > 0) return;
    clearInterval(beat.timer);
    this.#beats.delete(sampleMs);
  }

  /** At the next tick a snapshot of the run is taken ahead of other runs. */
  snapshotSoon(id: string): void {
    const member = this.#members.get(id);
    if (member !== undefined) member.isAsked = true;
  }

  pidsOf(id: string): number[] {
    this.#refreshIfOld();
    return [...this.#table.membersOf(id)];
  }

  /** The same with start times. */
  identitiesOf(id: string): KnownMember[] {
    this.#refreshIfOld();
    return this.#table.identitiesOf(id);
  }

  #refreshIfOld(): void {
    const ageMsMax = Math.max(pidsAgeMsMax, this.#refreshTookMs * refreshShare);
    if (performance.now() - this.#refreshedMs > ageMsMax) this.#refresh();
  }

  /** Number of snapshots so far, and their CPU time in milliseconds. */
  get snapshots(): { taken: number; spentMs: number } {
    return this.#snapshots;
  }

  close(): void {
    for (const id of [...this.#members.keys()]) this.remove(id);
    this.#sampler.close();
  }

  #beatOf(sampleMs: number): Beat {
    const known = this.#beats.get(sampleMs);
    if (known !== undefined) return known;
    const timer = setInterval(() => void this.#tick(beat, sampleMs), sampleMs);
    timer.unref();
    const beat: Beat = { members: new Map(), timer, isTicking: false };
    this.#beats.set(sampleMs, beat);
    return beat;
  }

  /** Ticks never overlap. While a slow tick goes on, the next is skipped. */
  async #tick(beat: Beat, sampleMs: number): Promise<void> {
    if (beat.isTicking) return;
    beat.isTicking = true;
    try {
      await this.#tickOnce([...beat.members.values()], sampleMs);
    } finally {
      beat.isTicking = false;
    }
  }

  async #tickOnce(members: readonly CrowdMember[], sampleMs: number): Promise<void> {
    this.#refresh();
    this.#read(members);
    const ticks: Promise<void>[] = [];
    for (const [index, member] of members.entries()) {
      if (index > 0 && index % runsAtOnceMax === 0) await letOthersRun();
      ticks.push(member.tick());
    }
    await this.#snapshots.decide(sampleMs, this.#members.size);
    await Promise.all(ticks);
  }

  #refresh(): void {
    const beginMs = performance.now();
    this.#table.refresh();
    this.#refreshedMs = performance.now();
    this.#refreshTookMs = this.#refreshedMs - beginMs;
  }

  /** Reads the processes of all these runs and distributes them to the runs. */
  #read(members: readonly CrowdMember[]): void {
    const pids = new Set<number>();
    const unread = new Set<number>();
    for (const { run } of members) {
      for (const pid of this.#table.membersOf(run.id)) {
        pids.add(pid);
        if (!this.#sampler.follows(pid) && this.#sampler.add(pid) === 'unread') unread.add(pid);
      }
    }
    const { atMs, processes, ...swept } = this.#sampler.sweep(pids);
    for (const pid of swept.unread) unread.add(pid);
    const sample: CrowdSample = {
      atMs,
      byPid: new Map(processes.map((process) => [process.pid, process])),
      unread,
      tcpStates: tcpStatesOfTick(),
    };
    for (const { tree, run } of members) tree.give(sample, this.#table.membersOf(run.id));
  }
}
