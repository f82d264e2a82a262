import type { Notice, NoticeWishes } from '../model/notice.js';
import { Slots } from '../model/slots.js';
import type { RunDirectory } from '../store/run-directory.js';
import { CommandTarget } from './command-target.js';
import { Delivered, type TargetKind } from './delivered.js';
import { DeliveryLane } from './delivery-lane.js';
import { type DeliveryClock, type DeliveryTarget, realClock } from './delivery-target.js';
import { type FormattedWebhook, WebhookTarget } from './webhook-target.js';

/*
 * Delivers notices to the commands and webhooks that runs ask for, at least once, in order for each run and target.
 *
 *   const deliveries = new Deliveries();
 *   deliveries.add({ directory, cwd, wishes, notices: log.since(deliveredUpTo(directory, wishes), …, { runId }) })
 *       for each run that is started or adopted and has a target, after the log was opened;
 *   deliveries.push(notice) for each notice that the log has given a number;
 *   deliveries.pending(runId): a run with pending notices must not be removed; pending() > 0: the daemon is busy;
 *   deliveries.forget(runId) before its directory is removed;
 *   await deliveries.close() before the daemon ends.
 *
 * A delivery is recorded in the run's directory afterwards. A daemon that is killed in between leaves the rest to the
 * next daemon, with at most a single repeat per target, which has the same number.
 */

export interface DeliveryOptions {
  clock?: DeliveryClock;
  /** Time limits for an attempt of a command, and of a webhook. */
  commandMs?: number;
  webhookMs?: number;
}

export interface RunToDeliver {
  directory: RunDirectory;
  /** The working directory for the command of a run. */
  cwd: string;
  wishes: Pick<NoticeWishes, 'command'> & { webhook: FormattedWebhook | null };
  /** The notices of this run since `deliveredUpTo`, oldest first. */
  notices: readonly Notice[];
}

const commandsAtOnce = 4;
const webhooksAtOnce = 4;
const queueMax = 1000;
const commandMs = 30_000;
const webhookMs = 10_000;
const closeMs = 2000;

export class Deliveries {
  readonly #options: Required<DeliveryOptions>;
  readonly #slots: Record<TargetKind, Slots> = {
    command: new Slots(commandsAtOnce),
    webhook: new Slots(webhooksAtOnce),
  };
  readonly #byRun = new Map<string, DeliveryLane[]>();

  constructor(options: DeliveryOptions = {}) {
    this.#options = { clock: realClock, commandMs, webhookMs, ...options };
  }

  /** A run without a target is ignored. */
  add(run: RunToDeliver): void {
    const { id } = run.directory;
    if (!this.#byRun.has(id)) this.#byRun.set(id, this.#lanesOf(run));
    for (const notice of run.notices) this.push(notice);
  }

  /** A notice of a run without a target is ignored. */
  push(notice: Notice): void {
    this.pushTo(notice.runId ?? '', notice);
  }

  /** Delivers to the targets that were added with a directory of this name: a run, or a route. */
  pushTo(id: string, notice: Notice): void {
    for (const lane of this.#byRun.get(id) ?? []) lane.push(notice);
  }

  /** One attempt for each target; null: it arrived everywhere, else why not. */
  async tryOnce(id: string, notice: Notice): Promise<string | null> {
    for (const lane of this.#byRun.get(id) ?? []) {
      const attempt = await lane.attempt(notice);
      if (attempt !== null && attempt.kind !== 'delivered') return attempt.reason;
    }
    return null;
  }

  /** Number of notices that are not delivered yet, of one run or of all. */
  pending(runId?: string): number {
    const lanes = runId === undefined ? [...this.#byRun.values()].flat() : (this.#byRun.get(runId) ?? []);
    return lanes.reduce((sum, lane) => sum + lane.pending, 0);
  }

  forget(runId: string): void {
    for (const lane of this.#byRun.get(runId) ?? []) void lane.close(0);
    this.#byRun.delete(runId);
  }

  /** A delivery in progress gets a little time. The rest is left to the next daemon. */
  async close(graceMs = closeMs): Promise<void> {
    await Promise.all([...this.#byRun.values()].flat().map((lane) => lane.close(graceMs)));
    this.#byRun.clear();
  }

  #lanesOf({ directory, cwd, wishes }: RunToDeliver): DeliveryLane[] {
    const delivered = new Delivered(directory);
    const { commandMs, webhookMs } = this.#options;
    const lanes: DeliveryLane[] = [];
    const add = (kind: TargetKind, target: DeliveryTarget) => {
      const { clock } = this.#options;
      const warn = (message: string) => warnIn(directory, message);
      lanes.push(
        new DeliveryLane({ kind, target, delivered, clock, slots: this.#slots[kind], queueMax, warn }),
      );
    };
    if (wishes.command !== null) {
      const { command: line } = wishes;
      add('command', new CommandTarget({ line, cwd, directory, delivered, limitMs: commandMs }));
    }
    if (wishes.webhook !== null) add('webhook', new WebhookTarget(wishes.webhook, webhookMs));
    return lanes;
  }
}

/** The number up to which every target of a run has received its notices. */
export function deliveredUpTo(directory: RunDirectory, { command, webhook }: RunToDeliver['wishes']): number {
  const delivered = new Delivered(directory);
  const seqs = [
    ...(command === null ? [] : [delivered.of('command').seq]),
    ...(webhook === null ? [] : [delivered.of('webhook').seq]),
  ];
  return seqs.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...seqs);
}

function warnIn(directory: RunDirectory, message: string): void {
  try {
    directory.appendEvent({ at: new Date().toISOString(), kind: 'warning', message });
  } catch {
    // The disk is full.
  }
}
