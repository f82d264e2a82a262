import type { Operation } from '../control/operations/shared/operation.js';
import type { DaemonLog } from './log.js';

/** Checking a list of a thousand runs takes a quarter of the time of answering with it. */
const everyMs = 1000;

/**
 * An answer with a wrong shape is a bug in Unstuck. It is logged and sent all the same, because the operation is done.
 */
export class OutputCheck {
  readonly #log: DaemonLog;
  readonly #checkedMs = new Map<string, number>();

  constructor(log: DaemonLog) {
    this.#log = log;
  }

  /** Runs after the answer is sent, so no client waits for it. */
  check(operation: Operation, output: unknown): void {
    const nowMs = performance.now();
    if (nowMs - (this.#checkedMs.get(operation.name) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    this.#checkedMs.set(operation.name, nowMs);
    setImmediate(() => this.#check(operation, output));
  }

  #check({ name, output }: Operation, given: unknown): void {
    const parsed = output.safeParse(given);
    if (parsed.success) return;
    const places = parsed.error.issues.map(({ code, path }) => `${path.map(String).join('.')} (${code})`);
    this.#log.write(`${name}: the answer does not fit its schema: ${places.join(', ')}`);
  }
}
