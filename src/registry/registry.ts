import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { knownValue } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import { notLooking, type OrphanFindings } from '../model/orphan.js';
import { NoticeDesk, type NoticeRequest } from '../notices/notice-desk.js';
import { routesFile } from '../notices/routes/routes-file.js';
import { type WallClock, wallClock } from '../notices/wall-clock.js';
import { makeDirectory } from '../store/files.js';
import { listRuns } from '../store/run-directory.js';
import { BackgroundRun } from './background-run.js';
import { type FoundRun, type Handle, type RunFilter, runByHandle, runsLike } from './find-runs.js';
import { LeaseMonitor } from './lease/monitor.js';
import { reportOwnerGone } from './lease/notice.js';
import { LifecycleFigures } from './lifecycle-figures.js';
import { Crowd } from './monitor/crowd.js';
import { RunNotifier } from './notify/run-notifier.js';
import { readRuns, type SetAside } from './read-runs.js';
import { Restarts } from './restart/restarts.js';
import { capOf, type Retention, toGo } from './retention.js';
import { checkDescriptors, shortOfDescriptors } from './room-for-run.js';
import { discardRun, type LaunchedRun, launchRun, removeDrafts, runIdOf } from './start/launch-run.js';
import { prepareStart, type StartRequest } from './start/prepare-start.js';
import { ToolWatch } from './tools/tool-watch.js';

const retainEveryMs = 60_000;
const endMsMax = 2000;
/** How long a start waits for a run whose state cannot be read. */
const startedMsMax = 15_000;
const adoptAgainMs = 1000;

/** All background runs of this user, live and ended. The daemon works on this. */
export class Registry {
  readonly #runs: string;
  readonly #retention: Retention;
  readonly #crowd = new Crowd();
  readonly #lifecycle = new LifecycleFigures();
  readonly #clock: WallClock;
  readonly #notices: NoticeDesk;
  readonly #notifiers = new Map<string, RunNotifier>();
  readonly #leases = new LeaseMonitor((run, text) => reportOwnerGone(this.#notices, run.record, text));
  readonly #byId = new Map<string, BackgroundRun>();
  readonly restarts = new Restarts({
    runOf: (chain, attempt) => this.#byId.get(this.#attemptId(chain, attempt)),
    launch: (chain, request) => {
      this.#launch(this.#attemptId(chain, request.inChain?.attempt ?? 1), request);
    },
    changed: () => this.#retainSoon(),
  });
  readonly #timer: NodeJS.Timeout;
  #live = 0;
  #endedRuns = 0;
  #retaining = false;
  #isClosed = false;
  #adoptAgain: NodeJS.Timeout | null = null;
  setAside: SetAside[] = [];
  /** Tools of agents that report them through hooks. */
  readonly tools: ToolWatch;
  /** Set by the orphan search. */
  orphans: OrphanFindings = notLooking;

  private constructor(home: string, retention: Retention, clock: WallClock) {
    this.#clock = clock;
    this.#runs = path.join(home, 'runs');
    this.#retention = retention;
    this.#notices = new NoticeDesk(home, clock, routesFile());
    this.tools = new ToolWatch(this.#notices);
    this.#timer = setInterval(() => this.#retain(), retainEveryMs).unref();
  }

  /**
   * Reads the runs on disk and adopts the live ones. A bad directory is set aside. Throws when the state home cannot be
   * read now: runs that are not known to exist would be overwritten.
   */
  static async open(home: string, retention: Retention, clock = wallClock): Promise<Registry> {
    const registry = new Registry(home, retention, clock);
    try {
      makeDirectory(registry.#runs, 0o700);
      removeDrafts(registry.#runs);
      await registry.#adopt(knownValue(listRuns(registry.#runs), 'the list of runs'));
      registry.restarts.open();
      return registry;
    } catch (error) {
      await registry.close();
      throw error;
    }
  }

  /** Number of runs that have not ended. */
  get live(): number {
    return this.#live;
  }

  /** Number of runs that have ended under this daemon. */
  get endedRuns(): number {
    return this.#endedRuns;
  }

  /** By its id, a prefix of it, or its label. */
  find(handle: Handle): FoundRun {
    return runByHandle(this.#byId, this.setAside, handle);
  }

  select(filter: RunFilter): BackgroundRun[] {
    return runsLike(this.#byId.values(), filter);
  }

  /** Starts a command, once per request. A repeated request finds the run that was started. */
  async start(request: StartRequest, requestId: string): Promise<BackgroundRun> {
    const id = runIdOf(this.#runs, requestId);
    const run = this.#byId.get(id) ?? this.#launch(id, request);
    await Promise.race([run.started(), delay(startedMsMax, null, { ref: false })]);
    // The command was not started, or ended before it was seen.
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

  /** Marks notices whose content the consumer, as a reader, has already received from wait or poll. */
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
      lifecycle: this.#lifecycle,
      snapshots: this.#crowd.snapshots,
      notices: this.#notices.figures,
      pending: this.#notices.pending(),
    };
  }

  /** What keeps the daemon from its work now, as text; null: nothing. */
  get trouble(): string | null {
    const unread = this.setAside.filter(({ isUnread }) => isUnread);
    const reasons = [...this.#byId.values()].flatMap(({ unreadable }) => unreadable ?? []);
    const [reason = unread[0]?.reason] = reasons;
    const count = reasons.length + unread.length;
    const runs = count === 1 ? '1 run' : `${count} runs`;
    return reason === undefined ? shortOfDescriptors() : `${runs} cannot be read now: ${reason}`;
  }

  /** Work is pending, even without a request. */
  get isBusy(): boolean {
    const waits = this.restarts.size + this.#notices.pending();
    return this.#live > 0 || waits > 0 || this.tools.isBusy;
  }

  /** Notices of the run have not reached their command or webhook yet. */
  isDelivering({ id }: BackgroundRun): boolean {
    return this.#notices.pending(id) > 0;
  }

  /** Forgets an ended run and removes its files. */
  remove(run: BackgroundRun): void {
    this.#letGo(run);
    this.#byId.delete(run.id);
    discardRun(this.#runs, run.directory);
  }

  /** Detaches from all runs, which live on. Stops in progress are finished first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#adoptAgain !== null) clearTimeout(this.#adoptAgain);
    this.#leases.close();
    this.restarts.close();
    this.tools.close();
    await Promise.all([...this.#byId.values()].map((run) => run.settle()));
    for (const notifier of this.#notifiers.values()) notifier.close();
    for (const run of this.#byId.values()) run.close();
    await this.#notices.close();
    this.#crowd.close();
  }

  /** A client cannot choose a request id with a blank. */
  #attemptId(chain: string, attempt: number): string {
    return attempt === 1 ? chain : runIdOf(this.#runs, `${chain} ${attempt}`);
  }

  #launch(id: string, request: StartRequest): BackgroundRun {
    checkDescriptors();
    const { label = null, task = null, owner = null, tags } = request;
    const { events, fault } = this.#notices.routed({ label, task, owner, tags });
    const prepared = prepareStart(request, events);
    if (fault !== null) prepared.warnings.push(`notices are not routed: ${fault}`);
    const run = this.#take(launchRun(this.#runs, id, prepared, request));
    this.#lifecycle.started += 1;
    for (const warning of prepared.warnings) run.warn(warning);
    return run;
  }

  /** Runs that could not be read are tried again until they can be. */
  async #adopt(ids: readonly string[]): Promise<void> {
    const tried = new Set(ids);
    const unread = await readRuns(this.#runs, ids, (run) => void this.#take(run));
    const others = this.setAside.filter(({ directory }) => !tried.has(path.basename(directory)));
    this.setAside = [...others, ...unread];
    const again = unread.filter(({ isUnread }) => isUnread).map(({ directory }) => path.basename(directory));
    if (again.length === 0 || this.#isClosed) return;
    this.#adoptAgain = setTimeout(() => void this.#adopt(again), adoptAgainMs).unref();
  }

  /** Throws when the files of the run cannot be read. Nothing of the run is then left here. */
  #take(launched: LaunchedRun): BackgroundRun {
    const { id } = launched.record;
    const run = this.#open(launched);
    try {
      this.#attend(run);
    } catch (error) {
      this.#letGo(run);
      throw error;
    }
    this.#byId.set(id, run);
    this.#live += 1;
    return run;
  }

  #open(launched: LaunchedRun): BackgroundRun {
    return new BackgroundRun({
      ...launched,
      crowd: this.#crowd,
      capOf: (wantedBytes) => capOf(wantedBytes, this.#retention, this.#live),
      heard: (event) => this.#lifecycle.note(event),
      ended: () => {
        this.#live -= 1;
        this.#endedRuns += 1;
        this.#leases.remove(launched.record.id);
        const run = this.#byId.get(launched.record.id);
        if (run !== undefined) this.restarts.ended(run);
        this.#retainSoon();
      },
    });
  }

  #attend(run: BackgroundRun): void {
    const { record, directory } = run;
    const { notify, lease } = record.background;
    if (notify !== null) {
      this.#notices.add(directory, record.cwd, notify);
      this.#notifiers.set(record.id, new RunNotifier(run, notify, this.#notices, this.#clock));
    }
    if (lease !== null) this.#leases.add(run, lease);
  }

  #letGo(run: BackgroundRun): void {
    this.#notices.forget(run.id);
    this.#notifiers.get(run.id)?.close();
    this.#notifiers.delete(run.id);
    this.#leases.remove(run.id);
    run.close();
  }

  /** Many runs may end at the same time. */
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
      if (!this.isDelivering(run) && !run.isOutputHeld && !this.restarts.isPending(run)) this.remove(run);
    }
  }
}
