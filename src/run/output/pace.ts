import type { HoldBack } from './hold-back.js';

/** The most unread bytes that are kept on disk before the command is held back, and the level at which it goes on. */
const lagMax = 64 * 1024 * 1024;
const lagMin = 1024 * 1024;
const checkEveryMs = 100;

export interface PaceOptions {
  /** null: it is in another place, and the command is not held back. */
  shim: number | null;
  /** Bytes in the log that the reader has not taken yet. */
  lag(): number;
  /** Called now and then while the command is held back, which is not its own silence. */
  held(): void;
}

/** Holds the command back while the reader of its output does not read. */
export class Pace {
  readonly #options: PaceOptions;
  #holdBack: HoldBack | null = null;
  /** Writes to the reader that have not finished. Without one, nothing would let the command go on again. */
  #writes = 0;
  #isOver = false;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  get isHolding(): boolean {
    return this.#holdBack?.isHolding === true;
  }

  /** Writes to the reader. A write that fails has no reader to wait for. */
  async keep<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    const checking = setInterval(() => this.#check(), checkEveryMs);
    try {
      const result = await write();
      if (this.#options.lag() < lagMin) this.#holdBack?.release();
      return result;
    } catch (error) {
      this.#holdBack?.release();
      throw error;
    } finally {
      this.#writes -= 1;
      clearInterval(checking);
    }
  }

  /** The command has ended. */
  end(): void {
    this.#isOver = true;
    this.#holdBack?.release();
  }

  close(): void {
    this.#holdBack?.close();
  }

  #check(): void {
    if (this.isHolding) this.#options.held();
    else if (this.#options.lag() > lagMax) void this.#hold();
  }

  async #hold(): Promise<void> {
    const { HoldBack } = await import('./hold-back.js');
    const { shim } = this.#options;
    if (this.#isOver || this.#writes === 0 || shim === null) return;
    this.#holdBack ??= new HoldBack(shim);
    this.#holdBack.hold();
  }
}
