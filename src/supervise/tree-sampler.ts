import { isAbsent } from '../model/absence.js';
import type { TreeSample } from '../model/health.js';
import type { Sample } from '../model/sample.js';
import { FileCensus } from '../probe/linux/file-census.js';
import type { MemberScan } from '../probe/linux/members.js';
import { pageBytes } from '../probe/linux/page-size.js';
import { readLink } from '../probe/linux/proc-file.js';
import { Sampler } from '../probe/linux/sampler.js';
import { treeUse } from './tree-cpu.js';

/** The numbers of a whole tree, tick by tick: A1. */
export class TreeSampler {
  readonly #sampler = new Sampler();
  readonly #census = new FileCensus();
  readonly #scan: MemberScan;
  readonly #leader: number;
  #last: Sample | null = null;
  #ran = true;

  constructor(scan: MemberScan, leader: number) {
    this.#scan = scan;
    this.#leader = leader;
  }

  /** Whoever is alive, after the last tick. */
  get pids(): number[] {
    return this.#last?.processes.filter(({ state }) => state !== 'Z').map(({ pid }) => pid) ?? [];
  }

  /** Whether anything was on a CPU between the last two ticks; whoever was not is the same object again. */
  get ran(): boolean {
    return this.#ran;
  }

  tick(): TreeSample {
    const followed = new Set(this.#last?.processes.map(({ pid }) => pid));
    for (const { pid } of this.#scan.scan()) if (!followed.has(pid)) this.#sampler.add(pid);
    const now = this.#sampler.sweep();
    // The first tick has nothing to compare with but itself.
    const use = treeUse(this.#last ?? now, now);
    const still = new Set(this.#last?.processes);
    this.#ran = now.ended.length > 0 || now.processes.some((process) => !still.has(process));
    this.#last = now;
    const states: Record<string, number> = {};
    let threads = 0;
    let residentPages = 0;
    for (const process of now.processes) {
      states[process.state] = (states[process.state] ?? 0) + 1;
      threads += process.threads;
      residentPages += process.residentPages;
    }
    const stdin = readLink(`/proc/${this.#leader}/fd/0`);
    return {
      atMs: now.atMs,
      ...use,
      networkBytes: null,
      processes: now.processes.length,
      threads,
      states,
      leaderState: now.processes.find(({ pid }) => pid === this.#leader)?.state ?? null,
      ...this.#census.take(now.processes),
      residentBytes: residentPages * pageBytes(),
      stdin: isAbsent(stdin) ? null : stdin,
    };
  }

  close(): void {
    this.#sampler.close();
  }
}
