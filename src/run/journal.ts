import type { Health } from '../model/run/health.js';
import type { RunEvent, RunReport } from '../model/run/run.js';
import type { RunDirectory } from '../store/run-directory.js';

/** An event without its time. The time is set when the event is reported. */
export type News = RunEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

/** Reports events, stores them with the run, and keeps what the final report needs. */
export class Journal {
  readonly warnings: string[] = [];
  readonly history: RunReport['history'] = [];
  readonly #directory: RunDirectory | null;
  readonly #listen: (event: RunEvent) => void;
  readonly #startedMs = performance.now();
  readonly #unwritten: RunEvent[] = [];
  #health: Health | null = null;
  #isFaultReported = false;

  constructor(directory: RunDirectory | null, listen: (event: RunEvent) => void) {
    this.#directory = directory;
    this.#listen = listen;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  report(news: News): void {
    const event = { at: new Date().toISOString(), ...news } as RunEvent;
    if (event.kind === 'warning') this.warnings.push(event.message);
    if (event.kind === 'health') {
      const { health, reason } = event.diagnosis;
      if (health !== this.#health) this.history.push({ atMs: Math.round(this.elapsedMs), health, reason });
      this.#health = health;
    }
    this.#unwritten.push(event);
    // A command that starts and ends with no other event needs no file.
    if (event.kind !== 'started') this.#write();
    void this.#hand(event);
  }

  /** A throwing listener must end neither the run nor this program. */
  async #hand(event: RunEvent): Promise<void> {
    try {
      // The listener may be an async function although its type is not.
      await this.#listen(event);
    } catch (error) {
      // The failure is reported once. Reporting it to the listener would only call the listener again.
      if (this.#isFaultReported) return;
      this.#isFaultReported = true;
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
      const words = `a listener failed at the event '${event.kind}'; the run goes on: ${message}`;
      this.warnings.push(words);
      process.emitWarning(words, { type: 'UnstuckWarning', detail: stack ?? '' });
    }
  }

  #write(): void {
    try {
      for (const event of this.#unwritten.splice(0)) this.#directory?.appendEvent(event);
    } catch {
      // The disk is full. The listener still gets the event.
    }
  }

  warn(message: string): void {
    if (!this.warnings.includes(message)) this.report({ kind: 'warning', message });
  }
}
