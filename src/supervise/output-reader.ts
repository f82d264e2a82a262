import type { RunSettings } from '../config/run-settings.js';
import type { LineTail } from '../diagnose/progress/lines.js';
import { phaseOf } from '../diagnose/progress/phase.js';
import {
  advancedAtMs,
  advanceProgress,
  glanceProgress,
  missLines,
  patienceMs,
  phaseOfProgress,
  readProgress,
  startProgress,
} from '../diagnose/progress/progress.js';
import { advanceStall, startStall } from '../diagnose/progress/stall.js';
import type { Progress } from '../model/run.js';

/** What the output says about progress, phase and stalls: A10, B5 to B8. Loaded only for runs that last. */
export class OutputReader {
  readonly #tail: LineTail;
  readonly #settings: RunSettings;
  #progress = startProgress;
  #stall = startStall;
  /** Heartbeats in a row with the same last line. */
  same = 0;
  /** What is printed is for programs (C7): numbers in what a model says are no progress. */
  isEventStream = false;

  constructor(tail: LineTail, settings: RunSettings) {
    this.#tail = tail;
    this.#settings = settings;
  }

  /** Reads what has been printed since the last look; `atMs`: when the last of it came. */
  look(atMs: number): void {
    const custom = this.#settings.progress ?? undefined;
    const { lines, missed } = this.#tail.takeFresh();
    if (this.isEventStream && custom === undefined) return;
    if (missed) this.#progress = missLines(this.#progress);
    for (const line of lines) this.#progress = advanceProgress(this.#progress, line, atMs, custom);
    const { unfinished } = this.#tail;
    if (unfinished.text !== '') this.#progress = glanceProgress(this.#progress, unfinished, atMs, custom);
  }

  progress(): Progress | null {
    return readProgress(this.#progress, performance.now());
  }

  phase(programs: readonly string[]): string | null {
    return phaseOf(programs, phaseOfProgress(this.#progress), this.#settings.phases, this.#tail.lastLine);
  }

  /** One heartbeat further; a reason: the output has stalled. */
  beat(elapsedMs: number): string | null {
    const { armAfterMs, sameLinePulses } = this.#settings;
    const { state, same, stalled } = advanceStall(
      this.#stall,
      {
        atMs: performance.now(),
        lastLine: this.#tail.lastLine,
        progressAdvancedAtMs: advancedAtMs(this.#progress),
        elapsedMs,
        progressText: this.progress()?.text ?? null,
      },
      { armAfterMs, samePulses: sameLinePulses, progressPatienceMs: patienceMs(this.#progress) },
    );
    this.#stall = state;
    this.same = same;
    return stalled;
  }
}
