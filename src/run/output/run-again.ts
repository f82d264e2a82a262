/**
 * Does a piece of work, never twice at a time. A call during the work is not lost: the work is done once more, and the
 * call resolves after that.
 */
export class RunAgain {
  readonly #work: () => Promise<void>;
  #isWanted = false;
  #running: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  run(): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#loop();
    return this.#running;
  }

  async #loop(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#work();
      }
    } finally {
      // Reset in the same step as the last check, so that a later call starts anew.
      this.#running = null;
    }
  }
}
