import type { Health } from '../model/run/health.js';
import type { RunEvent, RunReport } from '../model/run/run.js';
import type { RunDirectory } from '../store/run-directory.js';

/** An event without its time, which is when it is told. */
export type News = RunEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

/** Tells what happens, keeps it with the run, and remembers what the report needs of it. */
export class Journal {
  readonly warnings: string[] = [];
  readonly history: RunReport['history'] = [];
  readonly #directory: RunDirectory | null;
  readonly #listen: (event: RunEvent) => void;
  readonly #startedMs = performance.now();
  readonly #unwritten: RunEvent[] = [];
  #health: Health | null = null;
  #isFaultTold = false;

  constructor(directory: RunDirectory | null, listen: (event: RunEvent) => void) {
    this.#directory = directory;
    this.#listen = listen;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  tell(news: News): void {
    const event = { at: new Date().toISOString(), ...news } as RunEvent;
    if (event.kind === 'warning') this.warnings.push(event.message);
    if (event.kind === 'health') {
      const { health, reason } = event.diagnosis;
      if (health !== this.#health) this.history.push({ atMs: Math.round(this.elapsedMs), health, reason });
      this.#health = health;
    }
    this.#unwritten.push(event);
    // Of a command that starts and ends, nothing is worth a file.
    if (event.kind !== 'started') this.#write();
    void this.#hand(event);
  }

  /** The command needs us, whatever becomes of who listens: his fault ends neither the run nor this program. */
  async #hand(event: RunEvent): Promise<void> {
    try {
      // It may be an async function all the same.
      await this.#listen(event);
    } catch (error) {
      // Once is enough, and telling him would only call him again.
      if (this.#isFaultTold) return;
      this.#isFaultTold = true;
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
      const words = `whoever listens failed at the event '${event.kind}', and the run goes on: ${message}`;
      this.warnings.push(words);
      process.emitWarning(words, { type: 'UnstuckWarning', detail: stack ?? '' });
    }
  }

  #write(): void {
    try {
      for (const event of this.#unwritten.splice(0)) this.#directory?.appendEvent(event);
    } catch {
      // A full disk: whoever listens still hears it.
    }
  }

  warn(message: string): void {
    if (!this.warnings.includes(message)) this.tell({ kind: 'warning', message });
  }
}
