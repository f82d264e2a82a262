import { createHash } from 'node:crypto';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import { notLooking, type OrphanFindings } from '../../model/orphan-findings.js';
import { makeDirectory } from '../../store/make-directory.js';
import { NoticeDesk, type NoticeRequest } from '../notices/notice-desk.js';
import { RunNotifier } from '../notices/run-notifier.js';
import { type WallClock, wallClock } from '../notices/wall-clock.js';
import { BackgroundRun } from './background-run.js';
import { Crowd } from './crowd.js';
import { type RunFilter, runById, runsLike } from './find-runs.js';
import { discardRun, type LaunchedRun, launchRun, removeDrafts } from './launch-run.js';
import { tellOwnerGone } from './lease-notice.js';
import { LeaseWatch } from './lease-watch.js';
import { prepareStart, type StartRequest } from './prepare-start.js';
import { readRuns, type SetAside } from './read-runs.js';
import { capOf, type Retention, toGo } from './retention.js';

const retainEveryMs = 60_000;
const endMsMax = 2000;

/** All runs of this user in the background, live and ended: what the daemon works on. */
export class Registry {
  readonly #runs: string;
  readonly #retention: Retention;
  readonly #crowd = new Crowd();
  readonly #clock: WallClock;
  readonly #notices: NoticeDesk;
  readonly #notifiers = new Map<string, RunNotifier>();
  readonly #leases = new LeaseWatch((run, text) => tellOwnerGone(this.#notices, run.record, text));
  readonly #byId = new Map<string, BackgroundRun>();
  readonly #timer: NodeJS.Timeout;
  #live = 0;
  #endedRuns = 0;
  #retaining = false;
  setAside: SetAside[] = [];
  /** F5: set by whoever looks for them. */
  orphans: OrphanFindings = notLooking;

  private constructor(home: string, retention: Retention, clock: WallClock) {
    this.#clock = clock;
    this.#runs = path.join(home, 'runs');
    this.#retention = retention;
    this.#notices = new NoticeDesk(home, clock);
    this.#timer = setInterval(() => this.#retain(), retainEveryMs).unref();
  }

  /** Reads what is on disk and adopts what is alive; one bad directory is set aside. */
  static async open(home: string, retention: Retention, clock = wallClock): Promise<Registry> {
    const registry = new Registry(home, retention, clock);
    makeDirectory(registry.#runs, 0o700);
    removeDrafts(registry.#runs);
    registry.setAside = await readRuns(registry.#runs, (run) => registry.#take(run));
    return registry;
  }

  /** Runs that have not ended. */
  get live(): number {
    return this.#live;
  }

  /** How many have ended under this daemon. */
  get endedRuns(): number {
    return this.#endedRuns;
  }

  /** By its id, or the beginning of one: D1. */
  get(id: string): BackgroundRun {
    return runById(this.#byId, this.setAside, id);
  }

  select(filter: RunFilter): BackgroundRun[] {
    return runsLike(this.#byId.values(), filter);
  }

  /** Starts a command, once for each request: made again, it finds what was started. */
  async start(request: StartRequest, requestId: string): Promise<BackgroundRun> {
    const id = `run_${createHash('sha256').update(requestId).digest('hex').slice(0, 12)}`;
    const run = this.#byId.get(id) ?? this.#launch(id, request);
    await run.started();
    // Nobody was started, or nobody lived long enough to be seen.
    if (run.pid === null) await run.untilEnded(endMsMax);
    if (run.status === 'lost' && run.pid === null) {
      this.remove(run);
      throw new Failure(
        'cannot-start',
        'the shell that keeps the command ended before it could start it',
        'are there too many processes (ulimit -u), or is the disk full?',
      );
    }
    return run;
  }

  /** E6: what a consumer, as a reader, has got from wait or poll already is marked. */
  readNotices(request: NoticeRequest, signal: AbortSignal): ReturnType<NoticeDesk['read']> {
    return this.#notices.read(request, signal, ({ runId, kind, offset }) => {
      const known = this.#byId.get(runId ?? '')?.log.cursors.knownTo(request.consumer);
      if (known === undefined) return false;
      return kind === 'exit' ? known.sawEnd : offset !== undefined && known.at >= offset;
    });
  }

  /** For statistics: `GET /metrics`. */
  get figures() {
    return {
      looks: this.#crowd.looks,
      notices: this.#notices.figures,
      pending: this.#notices.pending(),
    };
  }

  /** Something is still to be done, also when nobody asks. */
  get isBusy(): boolean {
    return this.#live > 0 || this.#notices.pending() > 0;
  }

  /** Forgets an ended run and what is kept of it. */
  remove(run: BackgroundRun): void {
    this.#notices.forget(run.id);
    this.#notifiers.get(run.id)?.close();
    this.#notifiers.delete(run.id);
    run.close();
    this.#byId.delete(run.id);
    discardRun(this.#runs, run.directory);
  }

  /** Lets go of everything: the runs live on. What is being stopped is stopped first. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#leases.close();
    await Promise.all([...this.#byId.values()].map((run) => run.settle()));
    for (const notifier of this.#notifiers.values()) notifier.close();
    for (const run of this.#byId.values()) run.close();
    await this.#notices.close();
    this.#crowd.close();
  }

  #launch(id: string, request: StartRequest): BackgroundRun {
    const prepared = prepareStart(request);
    const run = this.#take(launchRun(this.#runs, id, prepared));
    for (const warning of prepared.warnings) run.warn(warning);
    return run;
  }

  #take({ directory, record, keeper }: LaunchedRun): BackgroundRun {
    const run = new BackgroundRun({
      directory,
      record,
      keeper,
      crowd: this.#crowd,
      capOf: (wantedBytes) => capOf(wantedBytes, this.#retention, this.#live),
      ended: () => {
        this.#live -= 1;
        this.#endedRuns += 1;
        this.#leases.remove(record.id);
        this.#retainSoon();
      },
    });
    this.#live += 1;
    const { notify, lease } = record.background;
    if (notify !== null) {
      this.#notices.add(directory, record.cwd, notify);
      this.#notifiers.set(record.id, new RunNotifier(run, notify, this.#notices, this.#clock));
    }
    if (lease !== null) this.#leases.add(run, lease);
    this.#byId.set(record.id, run);
    return run;
  }

  /** Many may end at the same time. */
  #retainSoon(): void {
    if (this.#retaining) return;
    this.#retaining = true;
    setImmediate(() => {
      this.#retaining = false;
      this.#retain();
    });
  }

  #retain(): void {
    for (const run of toGo(this.#byId.values(), this.#retention, Date.now())) {
      if (this.#notices.pending(run.id) === 0 && !run.isOutputHeld) this.remove(run);
    }
  }
}
