import fs from 'node:fs';

/** This much output at once is a flood. The next read then waits for the pause. */
const floodBytes = 64 * 1024;
const floodPauseMs = 25;

/** The poll interval where inotify is not available (its limit is reached, or a network file system). */
const pollEveryMs = 50;

/** What a directory of growing logs is watched for. */
export interface GrowingOutput {
  /** Passed on so far. */
  readonly bytes: number;
  /** Passes on what is available now. */
  drain(): Promise<void>;
}

/**
 * Passes output on as it is written. A flood is passed on in larger pieces, without a wake-up for each write, because
 * the command needs the CPU more than Unstuck does.
 */
export class OutputWatch {
  readonly #directory: string;
  readonly #output: GrowingOutput;
  /** null: not watched, because the output is a flood. */
  #unwatch: (() => void) | null = null;
  #pause: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(directory: string, output: GrowingOutput) {
    this.#directory = directory;
    this.#output = output;
    this.#watch();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
    if (this.#pause !== null) clearTimeout(this.#pause);
  }

  #watch(): void {
    this.#unwatch = watchDirectory(this.#directory, () => void this.#changed());
  }

  async #changed(): Promise<void> {
    if (this.#pause !== null) return;
    const before = this.#output.bytes;
    await this.#output.drain();
    if (this.#pause !== null || this.#isClosed) return;
    if (this.#output.bytes - before >= floodBytes) {
      this.#unwatch?.();
      this.#unwatch = null;
      this.#pause = setTimeout(() => {
        this.#pause = null;
        void this.#changed();
      }, floodPauseMs);
    } else if (this.#unwatch === null) {
      this.#watch();
      // Output may have come before the watch began.
      void this.#output.drain();
    }
  }
}

/** Calls back when anything in the directory changes; returns how to stop. */
function watchDirectory(dir: string, changed: () => void): () => void {
  try {
    const watcher = fs.watch(dir, changed);
    watcher.on('error', () => {});
    return () => watcher.close();
  } catch {
    const timer = setInterval(changed, pollEveryMs);
    return () => clearInterval(timer);
  }
}
