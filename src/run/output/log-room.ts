import { spawn } from 'node:child_process';
import { hasRoom } from '../launch/room.js';
import { toolPath } from '../launch/tool-path.js';

const checkEveryMs = 1000;
/** A flood may be checked more often, but not at every piece of it. */
const checkMsMin = 25;
/** Reserved behind the end of a log, and how little of it may be left. */
const aheadBytes = 4 * 1024 * 1024;
const aheadMin = 2 * 1024 * 1024;
/** Output that grows faster between two checks is not reserved for: it would take a process for every few megabytes. */
const floodBytes = 1024 * 1024;

export interface GrowingLog {
  readonly path: string | null;
  size(): number;
  /** Gives back what is reserved behind the end. Nothing writes to the log any more. */
  trim(): void;
}

interface Reserved {
  end: number;
  checkedSize: number;
  isBusy: boolean;
}

/**
 * Finds out before it happens that the logs of a run cannot grow any more. What a cat has read by then and cannot write
 * would be lost. Where a file system can reserve space, the logs have some that no other process can take.
 */
export class LogRoom {
  readonly #directory: string;
  readonly #logs: Map<GrowingLog, Reserved>;
  readonly #low: () => void;
  readonly #timer: NodeJS.Timeout;
  #tool: string | null | undefined;
  #checkedMs = 0;

  /** `low`: called at every check, as long as it is so. */
  constructor(directory: string, logs: readonly GrowingLog[], low: () => void) {
    this.#directory = directory;
    this.#logs = new Map(logs.map((log) => [log, { end: 0, checkedSize: 0, isBusy: false }]));
    this.#low = low;
    this.#timer = setInterval(() => this.#check(true), checkEveryMs);
    this.#timer.unref();
  }

  /** The logs have grown. */
  grown(): void {
    if (performance.now() - this.#checkedMs > checkMsMin) this.#check(false);
  }

  #check(mayReserve: boolean): void {
    this.#checkedMs = performance.now();
    if (!hasRoom(this.#directory)) {
      this.#low();
      return;
    }
    for (const [log, reserved] of this.#logs) {
      const size = log.size();
      const isFlood = size - reserved.checkedSize > floodBytes;
      if (mayReserve) reserved.checkedSize = size;
      if (mayReserve && !isFlood && reserved.end - size < aheadMin) this.#reserve(log, reserved, size);
    }
  }

  /** `isWritten`: nothing writes to the logs any more. */
  close(isWritten: boolean): void {
    clearInterval(this.#timer);
    for (const [log, { end }] of this.#logs) if (isWritten && end > 0) log.trim();
  }

  #reserve(log: GrowingLog, reserved: Reserved, size: number): void {
    this.#tool ??= toolPath('fallocate');
    if (this.#tool === null || log.path === null || reserved.isBusy) return;
    reserved.isBusy = true;
    const words = ['--keep-size', '--offset', String(size), '--length', String(aheadBytes), log.path];
    const child = spawn(this.#tool, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { LC_ALL: 'C' },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', () => {});
    child.once('close', (code) => {
      reserved.isBusy = false;
      if (code === 0) reserved.end = size + aheadBytes;
      else if (/No space|quota/i.test(said)) this.#low();
      // Not every file system, and not every fallocate, can do it.
      else this.#tool = null;
    });
    child.unref();
  }
}
