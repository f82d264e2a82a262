import { background } from '../control/background.js';
import type { OperationOutput } from '../control/operations/table.js';

export type Notice = OperationOutput<'notices'>['notices'][number];

/** Notices that are added to an answer. */
export interface RidingNotices {
  /** Never given to this client before, and not reported by wait or poll. */
  fresh: Notice[];
  /** Number of notices given and not acknowledged. */
  waiting: number;
  /** Acknowledging this number acknowledges all of them. */
  last: number;
}

/** Shortest time between two requests for notices, during a flood of calls. */
const askEveryMs = 20;
/** The same when this session has started no run: other runs of the owner may have notices. */
const idleEveryMs = 1000;
const onceMax = 20;

/** The notices of one client. They are given until acknowledged, and are new only once. */
export class PendingNotices {
  readonly #owner: string;
  #askedMs = Number.NEGATIVE_INFINITY;
  #isExpecting = false;
  #given = 0;
  #unacknowledged: number[] = [];
  /** Two concurrent answers must not carry the same notice. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(owner: string) {
    this.#owner = owner;
  }

  /** A run with notices was started. */
  expect(): void {
    this.#isExpecting = true;
  }

  /** Notices since the last answer, for an answer with this data. */
  take(data: Record<string, unknown>): Promise<RidingNotices> {
    const taken = this.#turn.then(() => this.#take((notice) => isReported(notice, data)));
    this.#turn = taken.catch(() => {});
    return taken;
  }

  /** All notices that are not acknowledged, oldest first. */
  async read(ack: number | undefined, signal: AbortSignal): Promise<OperationOutput<'notices'>> {
    const consumer = { consumer: this.#owner, owner: this.#owner, limit: onceMax };
    const output = await background.notices({ ...consumer, ...(ack !== undefined && { ack }) }, { signal });
    if (ack !== undefined) this.#unacknowledged = this.#unacknowledged.filter((seq) => seq > ack);
    this.#note(output.notices);
    return output;
  }

  async #take(isKnown: (notice: Notice) => boolean): Promise<RidingNotices> {
    const fresh: Notice[] = [];
    const everyMs = this.#isExpecting ? askEveryMs : idleEveryMs;
    if (performance.now() - this.#askedMs > everyMs) {
      this.#askedMs = performance.now();
      const consumer = { consumer: this.#owner, owner: this.#owner, limit: onceMax };
      const given = await background.notices({ ...consumer, after: this.#given });
      const notices = given.notices.map((notice) => ({ ...notice, known: notice.known || isKnown(notice) }));
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

/** The answer itself says the same about the same run. */
function isReported({ kind, runId }: Notice, data: Record<string, unknown>): boolean {
  if (kind !== 'needs-input' && kind !== 'stuck') return false;
  const reports = [data, ...((data.results ?? []) as Record<string, unknown>[])];
  return reports.some(
    ({ id, status, needsInput }) =>
      id === runId && (status === kind || (kind === 'needs-input' && needsInput === true)),
  );
}
