import type { Diagnosis } from '../../model/run/health.js';

/** What a run needs from a person or an agent. */
export type Trouble = 'needs-input' | 'stuck';

/** For this long an answer may be on its way to the command. A command that does not read it may take for ever. */
const onItsWayMsMax = 10_000;

/**
 * The trouble of a run as of its last diagnosis. What was read before the command had the last answer is out of date: a
 * snapshot may have begun before the answer came, and on a busy machine the answer takes a while to reach the command.
 */
export class KnownTrouble {
  #known: { diagnosis: Diagnosis | null; readMs: number } = { diagnosis: null, readMs: 0 };
  /** What was read at this time or before is out of date. */
  #answeredMs = 0;
  /** An answer is on its way, and counts as arrived at this time at the latest; null: the command has it. */
  #arrivesByMs: number | null = null;

  answered(nowMs: number, isDelivered: boolean): void {
    this.#answeredMs = nowMs;
    this.#arrivesByMs = isDelivered ? null : nowMs + onItsWayMsMax;
  }

  /** To be called at each tick. `readMs`: when the facts behind the diagnosis were read. */
  note(
    known: { diagnosis: Diagnosis | null; readMs: number },
    nowMs: number,
    isDelivered: () => boolean,
  ): void {
    if (known.diagnosis !== this.#known.diagnosis) this.#known = known;
    if (this.#arrivesByMs === null) return;
    const isOver = nowMs >= this.#arrivesByMs;
    if (!isOver) this.#answeredMs = nowMs;
    if (isOver || isDelivered()) this.#arrivesByMs = null;
  }

  get now(): Trouble | null {
    return this.#known.readMs <= this.#answeredMs ? null : troubleOf(this.#known.diagnosis);
  }

  /** There was a trouble before the last answer. Whether it is still there is not known. */
  get isOutOfDate(): boolean {
    return this.now === null && troubleOf(this.#known.diagnosis) !== null;
  }
}

function troubleOf(diagnosis: Diagnosis | null): Trouble | null {
  if (diagnosis === null) return null;
  const { needsAnswer, verdict, health } = diagnosis;
  const isStuck = health === 'likely-stuck' || health === 'confirmed-stuck';
  if (needsAnswer || (isStuck && verdict?.kind === 'needs-input')) return 'needs-input';
  return isStuck ? 'stuck' : null;
}
