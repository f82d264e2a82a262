import { answerOf } from '../diagnose/explain/answer.js';
import { advance, startHealth } from '../diagnose/health/advance.js';
import type { HealthState } from '../diagnose/health/state.js';
import { judge } from '../diagnose/judge.js';
import type { Diagnosis, Thresholds, TreeSample } from '../model/health.js';
import type { ProcessIdentity } from '../model/identity.js';
import type { Snapshot } from '../model/snapshot.js';
import type { Verdict } from '../model/verdict.js';
import { linuxProbe } from '../probe/linux/linux-probe.js';
import type { MemberScan } from '../probe/linux/members.js';
import { programName } from '../probe/linux/program-name.js';
import { afterLook, neverLooked, wantsLook } from './look-policy.js';
import { TreeSampler } from './tree-sampler.js';

/** More than these are not named in a heartbeat anyway. */
const namedMax = 500;

export interface VitalsOptions {
  leader: ProcessIdentity;
  scan: MemberScan;
  thresholds: Thresholds;
  canAnswer: boolean;
  /** When the run began: the time before the first tick counts, too. */
  startedMs: number;
}

/** What the tree is doing, tick by tick: a cheap sample always, a deep look only when there is something to explain. */
export class Vitals {
  readonly #sampler: TreeSampler;
  readonly #options: VitalsOptions;
  #health: HealthState;
  #look = neverLooked;
  #looked = false;
  #socketBytes = new Map<number, number>();
  diagnosis: Diagnosis | null = null;
  sample: TreeSample | null = null;
  readonly peak = { cpuPercent: 0, residentBytes: 0, processes: 0 };

  constructor(options: VitalsOptions) {
    this.#options = options;
    this.#health = startHealth(options.startedMs);
    this.#sampler = new TreeSampler(options.scan, options.leader.pid);
  }

  /** One tick; `printed`: whether there was output since the last one. */
  async tick(printed: boolean): Promise<Diagnosis> {
    const { thresholds, canAnswer } = this.#options;
    const sample = this.#sampler.tick();
    this.sample = sample;
    this.#remember(sample);
    if (printed) this.#look = neverLooked;
    const { ran } = this.#sampler;
    const looks = wantsLook(this.#look, { sample, ran, printed, diagnosis: this.diagnosis }, thresholds);
    const verdict = looks ? await this.#lookDeeper(sample) : null;
    const { state, diagnosis } = advance(this.#health, { sample, printed, verdict, canAnswer }, thresholds);
    this.#health = state;
    this.diagnosis = diagnosis;
    return diagnosis;
  }

  /** `cargo x3, rustc x4`: the largest groups first. */
  programs(): { name: string; count: number }[] {
    const counts = new Map<string, number>();
    for (const pid of this.#sampler.pids.slice(0, namedMax)) {
      const name = programName(pid);
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  }

  close(): void {
    this.#sampler.close();
  }

  async #lookDeeper(sample: TreeSample): Promise<Verdict | null> {
    const { leader, thresholds } = this.#options;
    const before = process.cpuUsage();
    let verdict: Verdict | null = null;
    try {
      const snapshot = await linuxProbe.snapshot(leader.pid);
      const judgement = judge(snapshot);
      if (judgement !== null) verdict = answerOf(judgement).verdict;
      sample.networkBytes = this.#networkBytes(snapshot);
    } catch {
      // It ended while it was being read: the end will be told by the shim.
    }
    const { user, system } = process.cpuUsage(before);
    this.#look = afterLook(
      this.#look,
      {
        atMs: sample.atMs,
        // The first look also pays for warming up.
        costMs: this.#looked ? (user + system) / 1000 : 0,
        verdict,
        proven: this.diagnosis?.confidence === 'certain',
      },
      thresholds,
    );
    this.#looked = true;
    return verdict;
  }

  /** What went over the tree's connections since the last look; null: no look before, or nothing counted. */
  #networkBytes({ sockets }: Snapshot): number | null {
    const before = this.#socketBytes;
    const counted = sockets.filter(({ tcp }) => tcp !== undefined);
    this.#socketBytes = new Map(
      counted.map(({ inode, tcp }) => [inode, (tcp?.bytesReceived ?? 0) + (tcp?.bytesAcked ?? 0)]),
    );
    if (!this.#looked) return null;
    let bytes = 0;
    for (const [inode, total] of this.#socketBytes) bytes += total - (before.get(inode) ?? total);
    return counted.length === 0 ? null : bytes;
  }

  #remember({ cpuPercent, residentBytes, processes }: TreeSample): void {
    this.peak.cpuPercent = Math.max(this.peak.cpuPercent, cpuPercent);
    this.peak.residentBytes = Math.max(this.peak.residentBytes, residentBytes);
    this.peak.processes = Math.max(this.peak.processes, processes);
  }
}
