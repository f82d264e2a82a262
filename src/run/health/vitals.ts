import { advance, startHealth } from '../../diagnose/health/advance.js';
import { intervalsMax } from '../../diagnose/health/passage.js';
import type { HealthState } from '../../diagnose/health/state.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { AgentTree } from '../../model/run/agent.js';
import type { Diagnosis, SignOfLife, Thresholds, TreeSample } from '../../model/run/health.js';
import type { Norms } from '../../model/run/norms.js';
import type { Finding } from '../../model/verdict.js';
import { rememberAlarms } from '../../probe/machine.js';
import { programName } from '../../probe/processes.js';
import type { AskLevel } from '../../probe/stacks.js';
import { JudgedSnapshots, type JudgedSnapshotsOptions, type Seen } from './judged-snapshots.js';
import { permitAtOnce, type SnapshotPermit, type SnapshotWish } from './snapshot-permit.js';
import {
  afterSnapshot,
  beforeSnapshot,
  noSnapshotYet,
  type SnapshotTick,
  urgencyOf,
  wantsSnapshot,
} from './snapshot-policy.js';
import type { TreeSource } from './tree-sampler.js';

/** A heartbeat names fewer processes than this. */
const namedMax = 500;

/** The longest time without a snapshot for a tree that has a process with several threads. */
const threadsUnseenMs = 30_000;

export interface VitalsOptions extends JudgedSnapshotsOptions {
  leader: ProcessIdentity;
  source: TreeSource;
  thresholds: Thresholds;
  canAnswer: boolean;
  /** What is normal for the command. */
  norms(): Norms;
  /** Default: output. */
  sign?: SignOfLife;
  /** When the run began. The time before the first tick counts as well. */
  startedMs: number;
  /** How long it has been silent before. */
  silentMs?: number;
  /** Decides where many runs share the cost of snapshots; null: not at this tick. */
  admit?: (wish: SnapshotWish) => SnapshotPermit | null | Promise<SnapshotPermit | null>;
  /** Combines other knowledge of the command with what the tree shows; `agent` as below. */
  refine?: (diagnosis: Diagnosis, agent: AgentTree | null) => Diagnosis;
}

/** What the tree is doing at each tick: always a cheap sample, a snapshot only when something needs an explanation. */
export class Vitals {
  readonly #options: VitalsOptions;
  #health: HealthState;
  #policy = noSnapshotYet;
  /** Time of the last snapshot; null: none yet. */
  snapshotMs: number | null = null;
  #wantsSinceMs: number | null = null;
  readonly #judged: JudgedSnapshots;
  /** What the last snapshot shows of an agent; null: no snapshot since the agent printed. */
  #agent: AgentTree | null = null;
  /** Tools of an agent that serve in the foreground; null: the last tick had no snapshot. */
  servers: Finding[] | null = null;
  diagnosis: Diagnosis | null = null;
  sample: TreeSample | null = null;
  readonly peak = { cpuPercent: 0, residentBytes: 0, processes: 0 };

  constructor(options: VitalsOptions) {
    this.#options = options;
    const { startedMs, silentMs = 0, thresholds } = options;
    // Another daemon may have monitored it before. The first tick counts for two intervals at most.
    const firstMs = intervalsMax * thresholds.sampleMs;
    const lastedMs = Math.max(0, performance.now() - startedMs - firstMs);
    this.#health = startHealth(startedMs, lastedMs, Math.min(lastedMs, Math.max(0, silentMs - firstMs)));
    this.#judged = new JudgedSnapshots(options);
    rememberAlarms();
  }

  /**
   * One tick. `hasPrinted`: whether there was output since the last tick, called with the new sample; `asked`: a caller
   * waits for a snapshot.
   */
  async tick(hasPrinted: (sample: TreeSample) => boolean, asked = false): Promise<Diagnosis> {
    const { source, thresholds, canAnswer, sign, refine, norms } = this.#options;
    const sample = source.tick();
    const printed = hasPrinted(sample);
    this.sample = sample;
    this.#remember(sample);
    rememberAlarms();
    const tick = {
      sample,
      ran: source.ran,
      printed,
      diagnosis: this.diagnosis,
      asked,
      partsChanged: this.#partsChanged(),
    };
    this.#policy = beforeSnapshot(this.#policy, tick);
    const seen = wantsSnapshot(this.#policy, tick, thresholds)
      ? await this.#trySnapshot(tick)
      : this.#wantNone();
    const { state, diagnosis } = advance(
      this.#health,
      {
        sample,
        printed,
        sign,
        verdict: seen?.verdict ?? null,
        findings: seen === null || this.#hidesParts(seen) ? null : seen.findings,
        living: new Set(this.#health.parts.length === 0 ? [] : source.pids),
        canAnswer,
      },
      thresholds,
      norms(),
    );
    this.#health = state;
    this.servers = seen?.servers ?? null;
    if (seen !== null) this.#agent = seen.agent;
    else if (printed) this.#agent = null;
    const located = this.#located(diagnosis);
    this.diagnosis = refine === undefined ? located : refine(located, this.#agent);
    return this.diagnosis;
  }

  /** A pid of another place is another process here. */
  #located(diagnosis: Diagnosis): Diagnosis {
    const { elsewhere } = this.#options.source;
    if (elsewhere === undefined) return diagnosis;
    const { verdict, findings } = diagnosis;
    const typed = <Part extends { next: string[] }>(part: Part): Part => ({
      ...part,
      next: elsewhere.steps(part.next),
    });
    return { ...diagnosis, verdict: verdict && typed(verdict), findings: findings.map(typed) };
  }

  /** Adds to the diagnosis what the language runtimes report about the code of the processes. */
  async explain(diagnosis: Diagnosis, level: AskLevel): Promise<Diagnosis> {
    const explained = await this.#judged.explain(diagnosis, level);
    if (explained === null) return diagnosis;
    // The processes ran only to answer the query.
    this.#options.source.skip();
    this.diagnosis = explained;
    return explained;
  }

  /** For callers that cannot wait for the first tick. The first tick then has a sample to compare with. */
  peek(): TreeSample {
    this.sample ??= this.#options.source.tick();
    return this.sample;
  }

  /** `cargo x3, rustc x4`: largest groups first. */
  programs(): { name: string; count: number }[] {
    const { elsewhere } = this.#options.source;
    const counts = new Map<string, number>();
    for (const pid of this.pids) {
      const name = elsewhere === undefined ? programName(pid) : elsewhere.nameOf(pid);
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  }

  /** Not complete for the largest trees. */
  get pids(): number[] {
    return this.#options.source.pids.slice(0, namedMax);
  }

  close(): void {
    this.#options.source.close();
  }

  /** A process has become still while others run, or a part that was found stuck has moved. */
  #partsChanged(): boolean {
    const { source } = this.#options;
    return (
      source.hasNewlyStill ||
      this.#threadsUnseen() ||
      this.#health.parts.some(
        // The process may run on. Only a snapshot shows whether its stuck threads do.
        ({ finding }) =>
          finding.kind !== 'lingering' &&
          finding.inside === undefined &&
          !finding.members.every((pid) => source.isStill(pid)),
      )
    );
  }

  /** Threads may be stuck in a process that runs and prints, so a snapshot is taken now and then all the same. */
  #threadsUnseen(): boolean {
    const { sample, snapshotMs } = this;
    if (sample === null || sample.threads <= sample.processes) return false;
    return sample.atMs - (snapshotMs ?? this.#options.startedMs) >= threadsUnseenMs;
  }

  #wantNone(): null {
    this.#wantsSinceMs = null;
    return null;
  }

  async #trySnapshot(tick: SnapshotTick): Promise<Seen | null> {
    const { admit = permitAtOnce, leader } = this.#options;
    this.#wantsSinceMs ??= tick.sample.atMs;
    const urgency = urgencyOf(this.#policy, tick);
    const { pids: members } = this;
    const permit = await admit({ pid: leader.pid, members, urgency, sinceMs: this.#wantsSinceMs });
    if (permit === null) return null;
    this.#wantsSinceMs = null;
    const seen = await this.#judged.judge(tick.sample, permit);
    const costMs = permit.end();
    const { sample, diagnosis } = tick;
    const taken = {
      atMs: sample.atMs,
      // The cost of the first snapshot includes the warm-up.
      costMs: this.snapshotMs === null ? 0 : costMs,
      verdict: seen?.verdict ?? null,
      hasUnprovenParts: this.#mayShowMore(seen, diagnosis) || (seen !== null && this.#hidesParts(seen)),
      proven: diagnosis?.confidence === 'certain' || diagnosis?.needsAnswer === true,
    };
    this.#policy = afterSnapshot(this.#policy, taken, this.#options.thresholds);
    this.snapshotMs = sample.atMs;
    return seen;
  }

  /** A part that was found stands still, and the snapshot was cut off before it could show it again. */
  #hidesParts({ findings, isCut }: Seen): boolean {
    const { source } = this.#options;
    return (
      isCut &&
      this.#health.parts.some(
        ({ finding: { root, members } }) =>
          !findings.some((one) => one.root.pid === root.pid && one.root.startTicks === root.startTicks) &&
          members.every((pid) => source.isStill(pid)),
      )
    );
  }

  /** The next snapshot may prove a stuck part, or a port that is polled. */
  #mayShowMore(seen: Seen | null, diagnosis: Diagnosis | null): boolean {
    if (seen === null) return false;
    const { findings, verdict } = seen;
    if (findings.length > (diagnosis?.findings.length ?? 0)) return true;
    if (diagnosis !== null && diagnosis.health !== 'healthy') return false;
    // The first snapshot of a silence may come before the first attempt to connect.
    const isFirst = this.#policy.atMs === noSnapshotYet.atMs;
    return verdict.polls !== undefined || (isFirst && verdict.kind === 'timer');
  }

  #remember({ cpuPercent, residentBytes, processes }: TreeSample): void {
    this.peak.cpuPercent = Math.max(this.peak.cpuPercent, cpuPercent);
    this.peak.residentBytes = Math.max(this.peak.residentBytes, residentBytes);
    this.peak.processes = Math.max(this.peak.processes, processes);
  }
}
