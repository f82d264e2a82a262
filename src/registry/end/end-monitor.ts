import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { livenessOf } from '../../probe/processes.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Standing, standingOf } from '../standing.js';

export type Ended = Extract<Standing, { kind: 'ended' }>;

export interface EndMonitorOptions {
  directory: RunDirectory;
  /** Boot id of the machine when the run was started. */
  boot: string;
  /** How long other processes may hold the output open after the command ends. */
  lingerMs: number;
  /** Why the state of the run cannot be read; null: it can be read. */
  unreadable(reason: string | null): void;
  ended(standing: Ended): void;
}

const drainFirstMs = 2;
const drainMsMax = 50;
/** A part of the shim may outlive the rest and write the status a moment after the end. */
const recordMsMax = 500;
/** The poll interval for a state that cannot be read or watched. */
const againMs = 1000;

/** Detects the end of a run once, from the shim's exit file or from the process table, whichever shows it first. */
export class EndMonitor {
  readonly #options: EndMonitorOptions;
  #watcher: fs.FSWatcher | null = null;
  #again: NodeJS.Timeout | null = null;
  #draining = false;
  #over = false;

  constructor(options: EndMonitorOptions) {
    this.#options = options;
    this.#watch();
  }

  /** Polls the state now. */
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
      // Only this file is watched: a watch on the directory would wake the daemon for every printed line.
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

  /** More output may come while the shim lives. Processes that hold the output open get only a short wait. */
  async #drain(seen: Ended): Promise<void> {
    const { directory, boot, lingerMs } = this.#options;
    // The report is already written. A reader of its output does not make the run live again.
    const { hasReport } = directory;
    const isReported = hasReport.kind === 'known' && hasReport.value;
    const isKnown = () => {
      const exit = directory.readExit();
      return exit.kind === 'known' && exit.value !== null;
    };
    const isPending = ({ shim, exit }: Ended) =>
      !isReported &&
      (exit.provenance === 'unknown' ? !isKnown() : shim !== null && livenessOf(shim) !== 'ended');
    const untilMs = performance.now() + (seen.exit.provenance === 'unknown' ? recordMsMax : lingerMs);
    for (let waitMs = drainFirstMs; isPending(seen); waitMs = Math.min(drainMsMax, waitMs * 2)) {
      if (performance.now() > untilMs || this.#over) break;
      await delay(waitMs, undefined, { ref: false });
    }
    if (this.#over) return;
    // Read once more, because a reported end cannot be withdrawn.
    const last = standingOf(directory, boot);
    if (last.kind !== 'ended') {
      this.#draining = false;
      this.#checkAgain();
      return;
    }
    this.close();
    this.#options.ended({ ...last, shim: seen.shim });
  }
}
