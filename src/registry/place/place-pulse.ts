import type { PlaceSession } from '../../places/session.js';
import { Monitor } from '../../run/monitor.js';
import type { OutputClues } from '../../run/output/clues.js';
import { PlaceSampler } from '../../run/place/place-sampler.js';
import type { Run } from '../../run/run.js';
import { commandOf, isOver } from '../../run/state.js';
import type { BackgroundPulse } from '../monitor/background-pulse.js';
import type { KeptTrouble } from '../monitor/kept-trouble.js';

export interface PlacePulseOptions {
  clues: OutputClues;
  session: PlaceSession;
  /** A heartbeat is counted at ticks this far apart; null: stalls are not requested. */
  beatMs: number | null;
  /** What an earlier daemon found. */
  kept: KeptTrouble;
}

/**
 * A run in another place. Counters of its processes come through the session of the place, and a whole capture through
 * a connection of its own, when something has to be explained. While the place does not answer, only the output is
 * known.
 */
export class PlacePulse implements BackgroundPulse {
  readonly #run: Run;
  readonly #options: PlacePulseOptions;
  monitor: Monitor | null = null;
  #sampler: PlaceSampler | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isTicking = false;
  #isAsked = false;
  #beatMs = performance.now();

  constructor(run: Run, options: PlacePulseOptions) {
    this.#run = run;
    this.#options = options;
    void run.tree.then(() => this.#begin());
  }

  mayHaveLeft(): boolean {
    return true;
  }

  /** Pids of the place mean other processes here. */
  pids(): number[] {
    return [];
  }

  snapshotSoon(): void {
    this.#isAsked = true;
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.monitor?.close();
  }

  #begin(): void {
    const run = this.#run;
    const { clues, beatMs, session, kept } = this.#options;
    const { leader } = commandOf(run.state);
    if (isOver(run.state)) return;
    this.#sampler = leader === null ? null : PlaceSampler.through(session, leader.pid);
    const source = this.#sampler;
    const tree = leader === null || source === null ? null : { leader, source, admit: source.admit };
    this.monitor = new Monitor({ run, clues, tree, beatMs, earlier: kept.earlier });
    const { sampleMs } = run.parts.settings.thresholds;
    if (sampleMs > 0) this.#timer = setInterval(() => void this.#tick(), sampleMs).unref();
    run.changed();
  }

  /** Ticks never overlap. While a slow tick goes on, the next is skipped. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      await this.#tickOnce();
    } finally {
      this.#isTicking = false;
    }
  }

  async #tickOnce(): Promise<void> {
    const isAsked = this.#isAsked;
    if (this.#sampler !== null && (await this.#sampler.fetch()) && this.#timer !== null) {
      this.#isAsked = false;
      await this.monitor?.tick(isAsked);
      return;
    }
    const { clues, beatMs } = this.#options;
    clues.catchUp();
    const nowMs = performance.now();
    if (beatMs !== null && nowMs - this.#beatMs >= beatMs) {
      this.#beatMs = nowMs;
      this.monitor?.beat();
    }
    this.#run.changed();
  }
}
