import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../probe/linux/is-alive.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Standing, standingOf } from './standing.js';

export type Ended = Extract<Standing, { kind: 'ended' }>;

export interface EndWatchOptions {
  directory: RunDirectory;
  /** Of the machine when the run was started. */
  boot: string;
  /** How long others may hold the output open after the end of the command. */
  lingerMs: number;
  ended(standing: Ended): void;
}

const drainFirstMs = 2;
const drainMsMax = 50;
/** A part of the shim may have outlived the rest, and write the status a moment after the end. */
const recordMsMax = 500;

/** Notices the end of a run once, whoever tells first: the shim by its file, or a look at the process table. */
export class EndWatch {
  readonly #options: EndWatchOptions;
  #watcher: fs.FSWatcher | null = null;
  #draining = false;
  #over = false;

  constructor(options: EndWatchOptions) {
    this.#options = options;
    try {
      // Only this file: a directory would wake us for every line that is printed.
      this.#watcher = fs.watch(options.directory.file('exit'), { persistent: false }, () => this.check());
      this.#watcher.on('error', () => {});
    } catch {
      // The limit of inotify is reached: the ticks look.
    }
  }

  /** Looks now. */
  check(): void {
    if (this.#over || this.#draining) return;
    const { directory, boot } = this.#options;
    const standing = standingOf(directory, boot);
    if (standing.kind !== 'ended') return;
    this.#draining = true;
    void this.#drain(standing);
  }

  close(): void {
    this.#over = true;
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** The last of the output is on its way as long as the shim is there; who holds it open is not waited for long. */
  async #drain(seen: Ended): Promise<void> {
    const { directory, lingerMs } = this.#options;
    // Its story has been told: it does not run again because somebody else reads it.
    const isTold = directory.hasReport;
    const isKnown = () => directory.readExit() !== null;
    const isPending = ({ keeper, exit }: Ended) =>
      !isTold && (exit.provenance === 'unknown' ? !isKnown() : keeper !== null && isAlive(keeper));
    const untilMs = performance.now() + (seen.exit.provenance === 'unknown' ? recordMsMax : lingerMs);
    for (let waitMs = drainFirstMs; isPending(seen); waitMs = Math.min(drainMsMax, waitMs * 2)) {
      if (performance.now() > untilMs || this.#over) break;
      await delay(waitMs, undefined, { ref: false });
    }
    if (this.#over) return;
    this.close();
    this.#options.ended({ ...seen, exit: directory.readExit() ?? seen.exit });
  }
}
