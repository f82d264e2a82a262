import type { NativeFacts } from '../kernel/kernel.js';

/** For snapshots of one moment: a comparison takes a microsecond, and there may be a million pairs. */
const comparisonsMax = 50_000;

/** Compares open files that have no number in /proc. */
export class Comparisons {
  readonly #native: NativeFacts;
  #left = comparisonsMax;

  constructor(native: NativeFacts) {
    this.#native = native;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** `a`, `b`: threads of processes. null: not known, also when too many files have been compared. */
  sameFile(a: number, aFd: number, b: number, bFd: number): boolean | null {
    this.#left -= 1;
    return this.#left < 0 ? null : this.#native.sameFile(a, aFd, b, bFd);
  }
}
