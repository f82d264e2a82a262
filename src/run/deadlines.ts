import type { Outcome } from '../model/run/run.js';
import { formatDuration } from '../text/duration.js';
import type { PausedTime } from './parts.js';

export interface DeadlinesOptions {
  /** 0: none. */
  timeoutMs: number;
  /** 0: none. */
  idleTimeoutMs: number;
  /** How long the command has run already. */
  elapsedMs?: number;
  /** Called only when a limit may be reached, so that output costs nothing. */
  lastOutputMs(): number;
  /** Time that does not count. */
  pauses?: Pick<PausedTime, 'totalMs' | 'lastMs'>;
  reached(outcome: Outcome, reason: string): void;
}

/** The longest delay that setTimeout accepts. */
const delayMsMax = 2 ** 31 - 1;
/** A timer that fires later than this was late because Unstuck was stopped. The silence is then counted anew. */
const lateMs = 1000;

/** Reports when a limit is reached. */
export class Deadlines {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: DeadlinesOptions) {
    const { timeoutMs, idleTimeoutMs, elapsedMs = 0, lastOutputMs, pauses, reached } = options;
    const nowMs = performance.now();
    const startedMs = nowMs - elapsedMs;
    if (timeoutMs > 0) {
      this.#arm(
        () => startedMs + timeoutMs + (pauses?.totalMs ?? 0),
        () => reached('timeout', `it ran for ${formatDuration(timeoutMs)} (--timeout)`),
      );
    }
    if (idleTimeoutMs > 0) {
      let awakeMs = nowMs;
      this.#arm(
        () => Math.max(lastOutputMs(), awakeMs, pauses?.lastMs ?? awakeMs) + idleTimeoutMs,
        () => reached('idle-timeout', `no output for ${formatDuration(idleTimeoutMs)} (--idle-timeout)`),
        () => {
          awakeMs = performance.now();
        },
      );
    }
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #arm(dueMs: () => number, act: () => void, overslept?: () => void): void {
    const delayMs = Math.min(Math.max(0, dueMs() - performance.now()) + 1, delayMsMax);
    const expectedMs = performance.now() + delayMs;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (performance.now() - expectedMs > lateMs) overslept?.();
      if (performance.now() >= dueMs()) act();
      else this.#arm(dueMs, act, overslept);
    }, delayMs);
    this.#timers.add(timer);
  }
}
