import type { Notice } from '../model/notice.js';
import type { Slots } from '../model/slots.js';
import type { Delivered, TargetKind } from './delivered.js';
import type { Attempt, DeliveryClock, DeliveryTarget } from './delivery-target.js';

export interface LaneOptions {
  kind: TargetKind;
  target: DeliveryTarget;
  delivered: Delivered;
  slots: Slots;
  clock: DeliveryClock;
  queueMax: number;
  warn(message: string): void;
}

interface Queued {
  notice: Notice;
  sinceMs: number;
}

/** The notices of a run for a single target, delivered in order. Each is tried until it is delivered or given up. */
export class DeliveryLane {
  readonly #options: LaneOptions;
  /** The first notice is being delivered. */
  readonly #queue: Queued[] = [];
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  #work: Promise<void> | null = null;
  #hasWarned = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Number of notices that are not delivered yet. */
  get pending(): number {
    return this.#queue.length;
  }

  /** A notice that is queued or settled already is ignored. */
  push(notice: Notice): void {
    const { kind, delivered, clock } = this.#options;
    const last = this.#queue.at(-1)?.notice.seq ?? delivered.of(kind).seq;
    if (notice.seq <= last || this.#closing.signal.aborted) return;
    this.#queue.push({ notice, sinceMs: clock.nowMs() });
    if (this.#queue.length > this.#options.queueMax) this.#dropOne();
    this.#work ??= this.#deliverAll().finally(() => {
      this.#work = null;
    });
  }

  /** A delivery in progress gets a little time. The rest is left to the next daemon. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    const timer = setTimeout(() => this.#cut.abort(), graceMs);
    await this.#work;
    clearTimeout(timer);
  }

  async #deliverAll(): Promise<void> {
    const { kind, target, delivered, clock } = this.#options;
    const closing = this.#closing.signal;
    let failures = 0;
    for (let head = this.#queue[0]; head !== undefined && !closing.aborted; head = this.#queue[0]) {
      const attempt = await this.attempt(head.notice);
      if (attempt === null) return;
      failures += 1;
      const pauseMs =
        attempt.kind === 'failed'
          ? target.pauseMs(failures, clock.nowMs() - head.sinceMs, clock.random)
          : null;
      if (pauseMs !== null) {
        if (attempt.kind === 'failed' && attempt.reportNow === true) this.#warn(attempt.reason);
        await clock.sleep(pauseMs, closing);
        continue;
      }
      if (attempt.kind !== 'delivered') this.#warn(attempt.reason);
      delivered.settle(kind, head.notice.seq, attempt.kind === 'delivered' ? 'delivered' : 'givenUp');
      this.#queue.shift();
      failures = 0;
    }
  }

  /** null: the lane was closed before the delivery. */
  attempt(notice: Notice): Promise<Attempt | null> {
    const { target, slots } = this.#options;
    return slots.use(async () => {
      if (this.#closing.signal.aborted) return null;
      const attempt = await target.attempt(notice, this.#cut.signal);
      return attempt.kind !== 'delivered' && this.#cut.signal.aborted ? null : attempt;
    });
  }

  /**
   * Drops the oldest match, else the oldest other notice. The end of a run and a delivery in progress are never
   * dropped.
   */
  #dropOne(): void {
    const { kind, delivered, queueMax } = this.#options;
    const match = this.#queue.findIndex(({ notice }, place) => place > 0 && notice.kind === 'match');
    const other = this.#queue.findIndex(({ notice }, place) => place > 0 && notice.kind !== 'exit');
    const place = match > 0 ? match : other;
    if (place <= 0) return;
    this.#queue.splice(place, 1);
    if (delivered.of(kind).dropped === 0) this.#print(`more than ${queueMax} notices waited: the oldest go`);
    delivered.drop(kind);
  }

  /** Warns once for each run and target, also across daemons. */
  #warn(reason: string): void {
    const { delivered, kind } = this.#options;
    if (!this.#hasWarned && delivered.of(kind).givenUp === 0) this.#print(reason);
    this.#hasWarned = true;
  }

  #print(what: string): void {
    this.#options.warn(`notices to ${this.#options.target.name}: ${what}`);
  }
}
