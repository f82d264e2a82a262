import { background } from '../control/background.js';
import type { OperationOutput } from '../control/operations/table.js';

export type Notice = OperationOutput<'notices'>['notices'][number];

/** What rides along with an answer. */
export interface RidingNotices {
  /** Never given to this client before, and not told by wait or poll. */
  fresh: Notice[];
  /** Given, and not acknowledged. */
  waiting: number;
  /** Acknowledges all of them. */
  last: number;
}

/** A flood of calls need not be one of questions. */
const askEveryMs = 20;
/** Without a run of ours that tells, others of the same owner may still have something to say. */
const idleEveryMs = 1000;
const onceMax = 20;

/** E6: the notices of one client. Given until they are acknowledged, never twice as new. */
export class PendingNotices {
  readonly #owner: string;
  #askedMs = Number.NEGATIVE_INFINITY;
  #isExpecting = false;
  #given = 0;
  #unacknowledged: number[] = [];
  /** Two answers at once must not carry the same. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(owner: string) {
    this.#owner = owner;
  }

  /** A run was started that will have something to tell. */
  expect(): void {
    this.#isExpecting = true;
  }

  /** Those that came since the last answer. */
  take(): Promise<RidingNotices> {
    const taken = this.#turn.then(() => this.#take());
    this.#turn = taken.catch(() => {});
    return taken;
  }

  /** All that are not acknowledged, the first ones first. */
  async read(ack: number | undefined, signal: AbortSignal): Promise<OperationOutput<'notices'>> {
    const who = { consumer: this.#owner, owner: this.#owner, limit: onceMax };
    const output = await background.notices({ ...who, ...(ack !== undefined && { ack }) }, { signal });
    if (ack !== undefined) this.#unacknowledged = this.#unacknowledged.filter((seq) => seq > ack);
    this.#note(output.notices);
    return output;
  }

  async #take(): Promise<RidingNotices> {
    const fresh: Notice[] = [];
    const everyMs = this.#isExpecting ? askEveryMs : idleEveryMs;
    if (performance.now() - this.#askedMs > everyMs) {
      this.#askedMs = performance.now();
      const who = { consumer: this.#owner, owner: this.#owner, limit: onceMax };
      const { notices } = await background.notices({ ...who, after: this.#given });
      this.#note(notices);
      fresh.push(...notices.filter(({ repeat, known }) => !repeat && !known));
    }
    return { fresh, waiting: this.#unacknowledged.length, last: this.#unacknowledged.at(-1) ?? 0 };
  }

  #note(notices: readonly Notice[]): void {
    for (const { seq, known } of notices) {
      if (seq <= this.#given) continue;
      this.#given = seq;
      if (!known) this.#unacknowledged.push(seq);
    }
  }
}
