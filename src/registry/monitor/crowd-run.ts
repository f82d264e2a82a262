import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { ProcessSample, Sample } from '../../model/facts/sample.js';
import type { TreeSample } from '../../model/run/health.js';
import type { TcpStates } from '../../probe/samples.js';
import { TreeNumbers, type TreeSource } from '../../run/health/tree-sampler.js';
import type { Vitals, VitalsOptions } from '../../run/health/vitals.js';
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
  /** The time between two ticks; 0: none. */
  sampleMs: number;
  /** Makes what is done at each tick. */
  monitor(source: TreeSource, admit: Admit): CrowdMonitor;
}

export type Admit = VitalsOptions['admit'] & {};

/** The part of a monitor that the crowd needs. */
export interface CrowdMonitor {
  readonly vitals: Pick<Vitals, 'sample' | 'snapshotMs'> | null;
  /** `asked`: a caller waits for a snapshot. */
  tick(asked: boolean): Promise<unknown>;
  close(): void;
}

/** The samples of all processes at a tick. */
export interface CrowdSample {
  atMs: number;
  byPid: ReadonlyMap<number, ProcessSample>;
  unread: ReadonlySet<number>;
  tcpStates: TcpStates;
}

/** The part of the shared samples that belongs to a single run. */
export class CrowdTree extends TreeNumbers implements TreeSource {
  readonly #read: () => void;
  #part: { sample: Sample; tcpStates: TcpStates } | null = null;

  /** `read`: sets the data of the next tick, as of now. */
  constructor(leader: number, directory: RunDirectory | null, read: () => void) {
    super(leader, directory);
    this.#read = read;
  }

  /** Sets the data of the next tick. */
  give({ atMs, byPid, unread, tcpStates }: CrowdSample, members: ReadonlySet<number>): void {
    const sample: Sample = { atMs, processes: [], ended: [], unread: [] };
    for (const pid of members) {
      const process = byPid.get(pid);
      if (process !== undefined) sample.processes.push(process);
      else if (unread.has(pid)) sample.unread.push(pid);
    }
    for (const { pid, startTicks } of this.processes) {
      const isThere = members.has(pid) && (byPid.get(pid)?.startTicks === startTicks || unread.has(pid));
      if (!isThere) sample.ended.push({ pid, startTicks });
    }
    this.#part = { sample, tcpStates };
  }

  tick(): TreeSample {
    if (this.#part === null) throw new Error('a tick without a sample');
    return this.next(this.#part.sample, this.#part.tcpStates);
  }

  skip(): void {
    this.#read();
    this.tick();
  }

  /** The shared samples are not closed here. */
  close(): void {}
}

/** A run in the crowd. */
export class CrowdMember {
  readonly run: CrowdRun;
  readonly tree: CrowdTree;
  readonly monitor: CrowdMonitor;
  /** A caller waits for a snapshot. */
  isAsked = false;
  #isGone = false;

  /** `read`: reads the processes of this run now. */
  constructor(run: CrowdRun, admit: Admit, read: (member: CrowdMember) => void) {
    this.run = run;
    this.tree = new CrowdTree(run.leader.pid, run.directory ?? null, () => read(this));
    this.monitor = run.monitor(this.tree, admit);
  }

  async tick(): Promise<void> {
    if (this.#isGone) return;
    const { monitor, isAsked } = this;
    await monitor.tick(isAsked);
    const { sample, snapshotMs } = monitor.vitals ?? { sample: null, snapshotMs: null };
    // If no snapshot was taken at this tick, the request stays open.
    if (isAsked && sample !== null && (snapshotMs === sample.atMs || sample.leaderState === null)) {
      this.isAsked = false;
    }
  }

  leave(): void {
    this.#isGone = true;
    this.monitor.close();
  }
}
