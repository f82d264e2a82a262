import fs from 'node:fs';
import { unreadBytes } from '../../../control/run.js';

const pollEveryMs = 1000;

/**
 * Reports once that our stdin has bytes which the command does not get: at the start, during the run, or at its end. A
 * pipe without data, as many CI systems give, is not reported. The bytes are not read: they may be meant for the next
 * program.
 */
export class IgnoredInput {
  readonly #warn: (message: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  begin(): void {
    if (!mayHaveBytes(0)) this.#isOver = true;
    if (this.#check()) return;
    this.#timer = setInterval(() => this.#check(), pollEveryMs);
    this.#timer.unref();
  }

  end(): void {
    this.#check();
    this.#stop();
  }

  /** true: no more checks are needed. */
  #check(): boolean {
    if (!this.#isOver && unreadBytes(0) > 0) {
      this.#stop();
      this.#warn('input is not passed to the terminal of the command; to pass it on: --stdin pipe');
    }
    return this.#isOver;
  }

  #stop(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}

/** A pipe, a socket or a file; not a device, such as /dev/null. */
function mayHaveBytes(fd: number): boolean {
  const stat = fs.fstatSync(fd);
  return stat.isFIFO() || stat.isSocket() || stat.isFile();
}
