import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { livenessOf } from '../../probe/processes.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Standing, standingOf } from '../standing.js';

export type Ended = Extract<Standing, { kind: 'ended' }>;

export interface EndWatchOptions {
  directory: RunDirectory;
  /** Of the machine when the run was started. */
  boot: string;
  /** How long others may hold the output open after the end of the command. */
  lingerMs: number;
  /** Why it cannot be read how far the run has come; null: it can. */
  unreadable(reason: string | null): void;
  ended(standing: Ended): void;
}

const drainFirstMs = 2;
const drainMsMax = 50;
/** A part of the shim may have outlived the rest, and write the status a moment after the end. */
const recordMsMax = 500;
/** What could not be read, or cannot be watched, is looked at again after so long. */
const againMs = 1000;

/** Notices the end of a run once, whoever tells first: the shim by its file, or a look at the process table. */
export class EndWatch {
  readonly #options: EndWatchOptions;
  #watcher: fs.FSWatcher | null = null;
  #again: NodeJS.Timeout | null = null;
  #draining = false;
  #over = false;

  constructor(options: EndWatchOptions) {
    this.#options = options;
    this.#watch();
  }

  /** Looks now. */
  check(): void {
    if (this.#over || this.#draining) return;
    const { directory, boot } = this.#options;
    if (this.#watcher === null) this.#watch();
    const standing = standingOf(directory, boot);
    this.#options.unreadable(standing.kind === 'unknown' ? standing.reason : null);
    if (standing.kind === 'unknown') this.#checkAgain();
    if (standing.kind !== 'ended') return;
    this.#draining = true;
    void this.#drain(standing);
  }

  close(): void {
    this.#over = true;
    this.#watcher?.close();
    this.#watcher = null;
    if (this.#again !== null) clearTimeout(this.#again);
  }

  #watch(): void {
    try {
      // Only this file: a directory would wake us for every line that is printed.
      const file = this.#options.directory.file('exit');
      this.#watcher = fs.watch(file, { persistent: false }, () => this.check());
      this.#watcher.on('error', () => {});
    } catch {
      // The limit of inotify or of open files is reached.
      this.#checkAgain();
    }
  }

  #checkAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = null;
      this.check();
    }, againMs).unref();
  }

  /** The last of the output is on its way as long as the shim is there; who holds it open is not waited for long. */
  async #drain(seen: Ended): Promise<void> {
    const { directory, boot, lingerMs } = this.#options;
    // Its story has been told: it does not run again because somebody else reads it.
    const { hasReport } = directory;
    const isTold = hasReport.kind === 'known' && hasReport.value;
    const isKnown = () => {
      const exit = directory.readExit();
      return exit.kind === 'known' && exit.value !== null;
    };
    const isPending = ({ keeper, exit }: Ended) =>
      !isTold &&
      (exit.provenance === 'unknown' ? !isKnown() : keeper !== null && livenessOf(keeper) !== 'ended');
    const untilMs = performance.now() + (seen.exit.provenance === 'unknown' ? recordMsMax : lingerMs);
    for (let waitMs = drainFirstMs; isPending(seen); waitMs = Math.min(drainMsMax, waitMs * 2)) {
      if (performance.now() > untilMs || this.#over) break;
      await delay(waitMs, undefined, { ref: false });
    }
    if (this.#over) return;
    // Asked once more: what is told cannot be taken back.
    const last = standingOf(directory, boot);
    if (last.kind !== 'ended') {
      this.#draining = false;
      this.#checkAgain();
      return;
    }
    this.close();
    this.#options.ended({ ...last, keeper: seen.keeper });
  }
}
