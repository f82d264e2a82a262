import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { LogSearch } from '../../notices/log-search.js';
import type { Findings } from '../../notices/pattern-search.js';
import { RunAgain } from '../../run/output/run-again.js';
import { watchFile } from '../../run/output/watch-file.js';
import type { BackgroundRun } from '../background-run.js';

export interface MonitorOptions {
  run: BackgroundRun;
  search: LogSearch;
  /** Called before each piece; false ends the search. */
  isWanted(): boolean;
  take(findings: Findings): void;
  /** Everything printed so far is searched. */
  caughtUp(): void;
}

/** With this pause, a flood is searched in larger pieces. */
const pollPauseMs = 50;
const unfinishedMs = 1000;
const unreadMs = 1000;

/** Searches a log as it grows. Its pauses only spare CPU time and use real time, not the clock of the notice rules. */
export class LogMonitor {
  readonly #options: MonitorOptions;
  readonly #unwatch: () => void;
  readonly #searching = new RunAgain(() => this.#searchAll());
  #pause: NodeJS.Timeout | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#unwatch = watchFile(options.run.log.path, () => this.snapshotSoon());
    this.snapshotSoon();
  }

  snapshotSoon(): void {
    if (!this.#isWanted || this.#pause !== null) return;
    this.#searchAfter(pollPauseMs);
  }

  #searchAfter(ms: number): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = null;
      // A log that cannot be read now is read again later.
      this.search().catch(() => this.#searchAfter(unreadMs));
    }, ms).unref();
  }

  /** Searches everything printed so far. */
  search(): Promise<void> {
    return this.#searching.run();
  }

  close(): void {
    this.#closed = true;
    this.#unwatch();
    if (this.#pause !== null) clearTimeout(this.#pause);
    if (this.#quiet !== null) clearTimeout(this.#quiet);
  }

  get #isWanted(): boolean {
    return !this.#closed && this.#options.isWanted();
  }

  async #searchAll(): Promise<void> {
    const { take, caughtUp } = this.#options;
    for (let found = await this.#next(); found !== null; found = await this.#next()) {
      take(found);
      await letOthersRun();
    }
    await this.#searchUnfinished();
    if (!this.#closed) caughtUp();
  }

  async #next(): Promise<Findings | null> {
    const found = this.#isWanted ? await this.#options.search.next() : null;
    return this.#isWanted ? found : null;
  }

  /** A prompt has no newline. But a line that is still being printed must not count as complete. */
  async #searchUnfinished(): Promise<void> {
    if (!this.#isWanted) return;
    const { run, search, take } = this.#options;
    // Not run.silentMs(): that reads and judges the output, which is expensive in a flood.
    const silentMs = Date.now() - (run.log.view.lastWriteMs() ?? 0);
    if (run.exit !== null || silentMs >= unfinishedMs) {
      const found = await search.unfinished();
      if (this.#isWanted) take(found);
    } else this.#quiet ??= setTimeout(() => this.#hearQuiet(), unfinishedMs).unref();
  }

  #hearQuiet(): void {
    this.#quiet = null;
    this.snapshotSoon();
  }
}
