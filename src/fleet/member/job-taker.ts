import type { Subscription } from '@nats-io/transport-node';
import type { Job } from '../queue/job.js';
import { reservationKey } from '../queue/queue-record.js';
import { encodeJson, parseJson } from '../wire.js';
import { followJob } from './follow-job.js';
import type { MemberContext } from './member-context.js';
import { parseNudge } from './nudge.js';
import { giveUpForeign, isOwnJob } from './own-jobs.js';
import { pause } from './pause.js';
import { openStores, type Stores } from './stores.js';
import { stopSuperseded } from './superseded.js';
import { Sweeper } from './sweeper.js';
import { takeJob, takeUndelivered, waitingSubjects } from './waiting-jobs.js';

/** A nudge comes with every new job; this finds what a lost nudge left. */
const askEveryMs = 10_000;
/** Many nudges at once are one. */
const askMsMin = 100;
/** Messages of no use that are passed over before other subjects have their turn: those of cancelled jobs stay in the stream. */
const skippedMax = 200;
/** Messages that a host takes and leaves for others, before it reads what it was not given. */
const refusedMax = 20;
/** Records that are read at the same time because of nudges. */
const lookingMax = 50;

/**
 * Takes jobs of the queue while slots are free, and follows each to its end. A job is taken by writing this host into
 * its record, which only one host can; its message is acknowledged right after that.
 */
export class JobTaker {
  readonly #context: MemberContext;
  readonly #ended = new AbortController();
  readonly #following = new Map<string, { cancel: AbortController; over: Promise<void> }>();
  readonly #looking = new Set<string>();
  /** Subjects where the last job was found without a delivery. */
  readonly #undelivered = new Set<string>();
  #nudges: Subscription | null = null;
  #wake = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(context: MemberContext) {
    this.#context = context;
  }

  /** Jobs that run here. */
  get running(): number {
    return this.#following.size;
  }

  async begin(): Promise<void> {
    const { connection, names } = this.#context;
    const stores = await openStores(this.#context);
    this.#nudges = connection.subscribe(names.nudge, {
      callback: (error, message) => {
        if (error === null) this.#nudged(stores, parseJson(message.data));
      },
    });
    await this.#resume(stores);
    this.#loop = this.#takeWhileMember(stores);
    this.#sweeping = new Sweeper(this.#context, stores).live(this.#ended.signal);
  }

  /** The runs go on; the next member of this host resumes them. */
  async end(): Promise<void> {
    this.#ended.abort();
    this.#wake.abort();
    this.#nudges?.unsubscribe();
    const follows = [...this.#following.values()].map(({ over }) => over);
    await Promise.allSettled([this.#loop, this.#sweeping, ...follows]);
  }

  /** A nudge is only a reason to look: what happens is decided by the records. */
  #nudged(stores: Stores, content: unknown): void {
    const nudge = parseNudge(content);
    if (nudge.kind === 'added') {
      this.#wake.abort();
      return;
    }
    if (nudge.kind === 'running' && nudge.host !== this.#context.membership.name) return;
    for (const id of nudge.ids) {
      if (this.#following.has(id) === (nudge.kind === 'cancel')) void this.#look(stores, id);
    }
  }

  async #look(stores: Stores, id: string): Promise<void> {
    if (this.#looking.has(id) || this.#looking.size >= lookingMax) return;
    this.#looking.add(id);
    try {
      const job = await stores.jobs.read(id);
      if (job.state.is === 'running' && job.state.cancelAsked === true)
        this.#following.get(id)?.cancel.abort();
      if (this.#isOwn(job) && !this.#following.has(id)) await this.#goOn(stores, job);
    } catch (error) {
      // Any machine can publish a nudge: one about a job that does not exist must not fill the log.
      const isKnown = (error as { code?: unknown }).code !== 'no-such-job';
      if (isKnown && !this.#ended.signal.aborted)
        this.#context.log(`fleet: job ${id}: ${(error as Error).message}`);
    } finally {
      this.#looking.delete(id);
    }
  }

  #isOwn(job: Job): boolean {
    return isOwnJob(job, this.#context);
  }

  /** Jobs of this host that the daemon, or the connection, was not there for. */
  async #resume(stores: Stores): Promise<void> {
    const { membership, runs, log } = this.#context;
    const jobs = await stores.jobs.all();
    for (const job of jobs) {
      if (this.#isOwn(job)) await this.#goOn(stores, job);
      else await giveUpForeign(job, this.#context, stores);
    }
    await stopSuperseded(runs, membership.name, jobs, log);
  }

  async #goOn(stores: Stores, { id, attempt, state }: Job): Promise<void> {
    const { membership, clock } = this.#context;
    if (state.is === 'lost') {
      const { name: host, id: machine } = membership;
      await stores.jobs.change(id, { kind: 'host-back', host, machine, attempt, at: clock.now() });
    }
    const job = await stores.jobs.read(id);
    if (this.#isOwn(job) && !this.#following.has(id)) this.#follow(stores, job);
  }

  async #takeWhileMember(stores: Stores): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      await this.#takeAll(stores).catch((error: Error) =>
        this.#context.log(`fleet: the queue: ${error.message}`),
      );
      await pause(askMsMin, signal);
      // A nudge wakes all hosts at once: they do not stay in step.
      const askMs = askEveryMs * (0.5 + Math.random());
      await pause(askMs, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  get #isFree(): boolean {
    return !this.#ended.signal.aborted && this.#following.size < this.#context.membership.slots;
  }

  async #takeAll(stores: Stores): Promise<void> {
    while (this.#isFree) {
      const groups = await waitingSubjects(this.#context, stores);
      let taken = false;
      for (const subjects of groups) {
        for (const subject of subjects) taken = (await this.#tryToTake(stores, subject)) || taken;
        // Jobs of a lower priority wait while there is one of a higher.
        if (taken) break;
      }
      if (!taken) return;
    }
  }

  /** What is wrong with one subject must not stop the others. */
  async #tryToTake(stores: Stores, subject: string): Promise<boolean> {
    try {
      // Where a host found a job that it was not given, there may be more: they need no wait for a delivery.
      const isFirst = this.#undelivered.delete(subject);
      for (const take of isFirst ? [takeUndelivered, takeJob] : [takeJob, takeUndelivered]) {
        if (!(await this.#takeWith(take, stores, subject))) continue;
        if (take === takeUndelivered) this.#undelivered.add(subject);
        return true;
      }
      return false;
    } catch (error) {
      this.#context.log(`fleet: the queue: ${subject.slice(0, 200)}: ${(error as Error).message}`);
      return false;
    }
  }

  async #takeWith(take: typeof takeJob, stores: Stores, subject: string): Promise<boolean> {
    let refused = 0;
    for (let asked = 0; asked < skippedMax; asked += 1) {
      if (!this.#isFree || refused >= refusedMax) return false;
      const taken = await take(this.#context, stores, subject);
      if (taken.kind === 'none') return false;
      if (taken.kind === 'refused') refused += 1;
      if (taken.kind !== 'job' || this.#following.has(taken.job.id)) continue;
      this.#follow(stores, taken.job);
      return true;
    }
    // There may be more.
    this.#wake.abort();
    return false;
  }

  #follow(stores: Stores, job: Job): void {
    const { runs, membership, clock, log } = this.#context;
    const cancel = new AbortController();
    if (job.state.is === 'running' && job.state.cancelAsked === true) cancel.abort();
    const context = {
      store: stores.jobs,
      runs,
      membership,
      clock,
      ended: this.#ended.signal,
      cancel: cancel.signal,
    };
    const over = followJob(job, context)
      .then(() => this.#release(stores, job))
      .catch((error: Error) => {
        if (!this.#ended.signal.aborted) log(`fleet: job ${job.id}: ${error.message}`);
      })
      .finally(() => {
        this.#following.delete(job.id);
        this.#wake.abort();
      });
    this.#following.set(job.id, { cancel, over });
  }

  /** Where the queue has a limit, another host may have waited for this. */
  async #release({ queues }: Stores, job: Job): Promise<void> {
    const { connection, names } = this.#context;
    const { changed } = await queues.change(job.queue, { kind: 'released', keys: [reservationKey(job)] });
    if (changed) connection.publish(names.nudge, encodeJson({}));
  }
}
