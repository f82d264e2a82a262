import { Monitor } from '../../run/monitor.js';
import type { OutputClues } from '../../run/output/clues.js';
import type { Run } from '../../run/run.js';
import { commandOf, isOver } from '../../run/state.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundPulse } from './background-pulse.js';
import type { Crowd } from './crowd.js';
import type { KeptTrouble } from './kept-trouble.js';

export interface CrowdPulseOptions {
  directory: RunDirectory;
  clues: OutputClues;
  crowd: Crowd;
  /** A heartbeat is counted at ticks this far apart; null: stalls are not requested. */
  beatMs: number | null;
  /** What an earlier daemon found. */
  kept: KeptTrouble;
}

/** A run in the background is sampled together with all others. */
export class CrowdPulse implements BackgroundPulse {
  readonly #run: Run;
  readonly #options: CrowdPulseOptions;
  monitor: Monitor | null = null;

  constructor(run: Run, options: CrowdPulseOptions) {
    this.#run = run;
    this.#options = options;
    void run.tree.then(() => this.#join());
  }

  /** A table of processes that has neither the command nor another member was read after the end. */
  mayHaveLeft(): boolean {
    return this.monitor === null || this.pids().length > 0;
  }

  pids(): number[] {
    return this.#options.crowd.pidsOf(this.#run.parts.about.id);
  }

  snapshotSoon(): void {
    this.#options.crowd.snapshotSoon(this.#run.parts.about.id);
  }

  stop(): void {
    this.#options.crowd.remove(this.#run.parts.about.id);
  }

  #join(): void {
    const run = this.#run;
    const { directory, clues, crowd, beatMs, kept } = this.#options;
    const { leader, shim } = commandOf(run.state);
    if (leader === null || isOver(run.state)) return;
    crowd.add({
      id: run.parts.about.id,
      leader,
      shim: shim?.pid ?? null,
      directory,
      sampleMs: run.parts.settings.thresholds.sampleMs,
      monitor: (source, admit) => {
        const { earlier } = kept;
        this.monitor = new Monitor({ run, clues, tree: { leader, source, admit }, beatMs, earlier });
        return this.monitor;
      },
    });
    run.changed();
  }
}
