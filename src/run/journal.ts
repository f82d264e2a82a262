import { type Diagnosis, metricsOf } from '../model/run/health.js';
import type { HealthChange, RunEvent } from '../model/run/run.js';
import type { RunDirectory } from '../store/run-directory.js';

/** An event without its time. The time is set when the event is reported. */
export type News = RunEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

/** Reports events, stores them with the run, and keeps what the final report needs. */
export class Journal {
  readonly warnings: string[] = [];
  readonly history: HealthChange[] = [];
  readonly #directory: RunDirectory | null;
  readonly #listen: (event: RunEvent) => void;
  readonly #startedMs = performance.now();
  readonly #unwritten: RunEvent[] = [];

  constructor(directory: RunDirectory | null, listen: (event: RunEvent) => void) {
    this.#directory = directory;
    this.#listen = safeListener(listen, 'the run', (warning) => this.warnings.push(warning));
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  report(news: News): void {
    const event = { at: new Date().toISOString(), ...news } as RunEvent;
    if (event.kind === 'warning') this.warnings.push(event.message);
    if (event.kind === 'health') noteHealth(this.history, this.elapsedMs, event.diagnosis);
    this.#unwritten.push(event);
    // A command that starts and ends with no other event needs no file.
    if (event.kind !== 'started') this.#write();
    this.#listen(event);
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

/** Adds the health to a history where it is another one than before. */
export function noteHealth(history: HealthChange[], atMs: number, diagnosis: Diagnosis): void {
  const { health, reason, numbers } = diagnosis;
  if (health === history.at(-1)?.health) return;
  history.push({ atMs: Math.round(atMs), health, reason, metrics: metricsOf(numbers) });
}

/**
 * Calls a listener that may throw or reject: its failure ends neither this program nor `what`, and is reported once.
 * Reporting it to the listener would only call the listener again.
 */
export function safeListener<Event extends { kind: string }>(
  listen: (event: Event) => unknown,
  what: string,
  warned: (warning: string) => void = () => {},
): (event: Event) => void {
  let isFaultReported = false;
  const call = async (event: Event) => {
    try {
      await listen(event);
    } catch (error) {
      if (isFaultReported) return;
      isFaultReported = true;
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
      const warning = `a listener failed at the event '${event.kind}'; ${what} goes on: ${message}`;
      warned(warning);
      process.emitWarning(warning, { type: 'UnstuckWarning', detail: stack ?? '' });
    }
  };
  return (event) => void call(event);
}
