import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { ProcessSample, Sample } from '../../model/facts/sample.js';
import type { Diagnosis, Thresholds, TreeSample } from '../../model/run/health.js';
import type { TcpStates } from '../../probe/samples.js';
import { TreeNumbers, type TreeSource } from '../../run/health/tree-sampler.js';
import { Vitals, type VitalsOptions } from '../../run/health/vitals.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** A run that is monitored together with others. */
export interface CrowdRun {
  /** `run_` and 12 hexadecimal digits. Its processes have it in their environment. */
  id: string;
  leader: ProcessIdentity;
  /** The shim; null: it has ended. */
  shim: number | null;
  /** Where processes that leave the session of the command are recorded. Default: nowhere. */
  directory?: RunDirectory;
  thresholds: Thresholds;
  canAnswer: boolean;
  /** When the run began, on the clock of `performance.now()`. */
  startedMs: number;
  /** Whether there was output since the last call. Called at most once per tick. */
  printed(): boolean;
  /** How long an agent has waited for its tools; null: it waits for none. */
  toolsForMs?: () => number | null;
  /** Called after each tick. */
  diagnosed(diagnosis: Diagnosis, sample: TreeSample): void;
}

/** The samples of all processes at a tick. */
export interface CrowdSample {
  atMs: number;
  byPid: ReadonlyMap<number, ProcessSample>;
  unread: ReadonlySet<number>;
  tcpStates: TcpStates;
}

/** The part of the shared samples that belongs to a single run. */
export class CrowdTree implements TreeSource {
  readonly #numbers: TreeNumbers;
  #part: { sample: Sample; tcpStates: TcpStates } | null = null;

  constructor(leader: number, directory: RunDirectory | null) {
    this.#numbers = new TreeNumbers(leader, directory);
  }

  get pids(): number[] {
    return this.#numbers.pids;
  }

  get ran(): boolean {
    return this.#numbers.ran;
  }

  get hasNewlyStill(): boolean {
    return this.#numbers.hasNewlyStill;
  }

  isStill(pid: number): boolean {
    return this.#numbers.isStill(pid);
  }

  /** Sets the data of the next tick. */
  give({ atMs, byPid, unread, tcpStates }: CrowdSample, members: ReadonlySet<number>): void {
    const sample: Sample = { atMs, processes: [], ended: [], unread: [] };
    for (const pid of members) {
      const process = byPid.get(pid);
      if (process !== undefined) sample.processes.push(process);
      else if (unread.has(pid)) sample.unread.push(pid);
    }
    for (const { pid, startTicks } of this.#numbers.processes) {
      const isThere = members.has(pid) && (byPid.get(pid)?.startTicks === startTicks || unread.has(pid));
      if (!isThere) sample.ended.push({ pid, startTicks });
    }
    this.#part = { sample, tcpStates };
  }

  tick(): TreeSample {
    if (this.#part === null) throw new Error('a tick without a sample');
    return this.#numbers.next(this.#part.sample, this.#part.tcpStates);
  }

  /** The shared samples are not closed here. */
  close(): void {}
}

/**
 * While no process of a tree runs, its log is polled once in this many ticks: with many runs, polling is much of a
 * tick.
 */
const stillTicksMax = 4;

/** A run in the crowd. */
export class CrowdMember {
  readonly run: CrowdRun;
  readonly tree: CrowdTree;
  readonly vitals: Vitals;
  #asked: { promise: Promise<Diagnosis | null>; answer(diagnosis: Diagnosis | null): void } | null = null;
  #isGone = false;
  /** Consecutive ticks at which no process had run. */
  #stillTicks = 0;

  constructor(run: CrowdRun, admit: VitalsOptions['admit'] & {}) {
    this.run = run;
    this.tree = new CrowdTree(run.leader.pid, run.directory ?? null);
    this.vitals = new Vitals({ ...run, source: this.tree, admit });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  async tick(): Promise<void> {
    const asked = this.#asked;
    const diagnosis = await this.vitals.tick(this.#hasPrinted, asked !== null);
    const { sample, snapshotMs } = this.vitals;
    if (this.#isGone || sample === null) return;
    this.run.diagnosed(diagnosis, sample);
    // No snapshot was taken at this tick. The request stays open.
    if (asked === null || (snapshotMs !== sample.atMs && sample.leaderState !== null)) return;
    asked.answer(diagnosis);
    this.#asked = null;
  }

  /** A tree that did not run has printed nothing. Output of processes outside the tree is noticed a little later. */
  readonly #hasPrinted = (): boolean => {
    this.#stillTicks = this.tree.ran ? 0 : this.#stillTicks + 1;
    // After the first still tick, the last output may still be on its way to the log.
    const isDue = this.#stillTicks <= 1 || this.#stillTicks % stillTicksMax === 0;
    return isDue && this.run.printed();
  };

  /** null: the run was removed before a snapshot was taken. */
  snapshotNow(): Promise<Diagnosis | null> {
    if (this.#asked === null) {
      const { promise, resolve } = withResolvers<Diagnosis | null>();
      this.#asked = { promise, answer: resolve };
    }
    return this.#asked.promise;
  }

  leave(): void {
    this.#isGone = true;
    this.#asked?.answer(null);
    this.#asked = null;
    this.vitals.close();
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
