import {
  isForeground,
  rawSettings,
  readSettings,
  type TerminalSettings,
  writeSettings,
} from '../../../control/run.js';

/** `fg` of a shell sends no signal to a job that runs, so the foreground is looked up. */
const lookMs = { first: 10, max: 250 };
/** A signal that stops us arrives within this time. */
const stopMs = 50;

/**
 * The terminal that Unstuck was started on. While it is taken, each key is passed on as it is. It is taken only in the
 * foreground: the kernel would stop a background job that reads from it or changes it.
 */
export class OwnTerminal {
  readonly #changed: (isTaken: boolean) => void;
  #before: TerminalSettings | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #restore = () => this.#leave();

  /** `changed`: keys may be read, or must not be read any more. */
  constructor(changed: (isTaken: boolean) => void) {
    this.#changed = changed;
  }

  get isTaken(): boolean {
    return this.#before !== null;
  }

  /** Takes the terminal, now or as soon as this job is in the foreground and `isReady`. */
  take(isReady: () => boolean = () => true, againMs: number = lookMs.first): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.isTaken) return;
    if (isForeground() && isReady()) {
      this.#before = readSettings(0);
      if (this.#before !== null) writeSettings(0, rawSettings(this.#before));
      // A fault of our own must not leave a terminal behind that does not echo.
      process.once('exit', this.#restore);
      this.#changed(true);
      return;
    }
    this.#timer = setTimeout(() => this.take(isReady, Math.min(lookMs.max, againMs * 2)), againMs);
    this.#timer.unref();
  }

  /** Makes the terminal what it was before. */
  release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.isTaken) this.#changed(false);
    this.#leave();
    process.off('exit', this.#restore);
  }

  /**
   * Stops this job as Ctrl-Z does. Returns when it goes on; where no shell could continue it, at once. The terminal is
   * taken again when `isReady`: until then a Ctrl-C is a signal to this process, and no key.
   */
  suspend(isReady: () => boolean): void {
    this.release();
    const listeners = process.listeners('SIGTSTP');
    process.removeAllListeners('SIGTSTP');
    process.kill(0, 'SIGTSTP');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stopMs);
    for (const listener of listeners) process.on('SIGTSTP', listener);
    this.take(isReady);
  }

  #leave(): void {
    if (this.#before !== null && isForeground()) writeSettings(0, this.#before);
    this.#before = null;
  }
}
