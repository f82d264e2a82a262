import type { Operation } from '../control/operations/operation.js';
import type { DaemonLog } from './log.js';

/** To check a list of a thousand runs takes a fourth of the time that it takes to answer with it. */
const everyMs = 1000;

/** Answers of a wrong shape are a fault of ours: logged, and given all the same, because what was done is done. */
export class OutputCheck {
  readonly #log: DaemonLog;
  readonly #checkedMs = new Map<string, number>();

  constructor(log: DaemonLog) {
    this.#log = log;
  }

  /** Once the answer is on its way: nobody waits for this. */
  look(operation: Operation, output: unknown): void {
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
