import type { Finding } from '../../model/verdict.js';
import type { PartRoot } from './part-members.js';

type Ends = Pick<Finding, 'root' | 'end'>;

/**
 * How much of a stuck part is stopped. First only the process at its end, with all that it started: its parents then
 * see a command that failed, and end or go on by themselves (a shell returns 128 + the signal). The whole part is
 * stopped when it is found stuck again.
 */
export class PartClaims {
  readonly #ends = new Set<string>();
  readonly #roots = new Set<string>();

  /** The topmost process to stop now; null: the process at the end of the part was stopped, or is being stopped. */
  claim({ root, end }: Ends): PartRoot | null {
    if (this.#ends.has(keyOf(end))) return null;
    const isAgain = this.#roots.has(keyOf(root));
    this.#ends.add(keyOf(end));
    this.#roots.add(keyOf(root));
    return isAgain ? root : end;
  }

  /** It could not be stopped, and may be claimed again. */
  release({ root, end }: Ends): void {
    this.#ends.delete(keyOf(end));
    this.#roots.delete(keyOf(root));
  }
}

function keyOf({ pid, startTicks }: PartRoot): string {
  return `${pid} ${startTicks}`;
}
