import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { knownValue } from '../model/facts/reading.js';
import { notLooking, type OrphanFindings } from '../model/orphan.js';
import { NoticeDesk, type NoticeRequest } from '../notices/notice-desk.js';
import { routesFile } from '../notices/routes/routes-file.js';
import { type WallClock, wallClock } from '../notices/wall-clock.js';
import { makeDirectory } from '../store/files.js';
import { listRuns } from '../store/run-ids.js';
import { Attendance } from './attendance.js';
import { BackgroundRun } from './background-run.js';
import { ChangeFeed } from './changes/change-feed.js';
import { type FoundRun, type Handle, type RunFilter, runByHandle, runsLike } from './find-runs.js';
import { LifecycleFigures } from './lifecycle-figures.js';
import { Crowd } from './monitor/crowd.js';
import { Adoption, type SetAside } from './read-runs.js';
import { Restarts } from './restart/restarts.js';
import { capOf, Retainer, type Retention } from './retention.js';
import { discardRun, type LaunchedRun, neverStarted, removeDrafts, runIdOf } from './start/launch-run.js';
import type { StartRequest } from './start/prepare-start.js';
import { shortOfDescriptors } from './start/room-for-run.js';
import { RunStarter, type StartedRun } from './start/run-starter.js';
import { ToolWatch } from './tools/tool-watch.js';
import { unreadRunsWords } from './words.js';

const endMsMax = 2000;
/** How long a start waits for a run whose state cannot be read. */
const startedMsMax = 15_000;

const troubleAgeMsMax = 5000;

/** All background runs of this user, live and ended. The daemon works on this. */
export class Registry {
  readonly #runs: string;
  readonly #retention: Retention;
  readonly #crowd = new Crowd();
  readonly #lifecycle = new LifecycleFigures();
  readonly #notices: NoticeDesk;
  readonly #attendance: Attendance;
  readonly #starter: RunStarter<BackgroundRun>;
  readonly #adoption: Adoption;
  readonly #byId = new Map<string, BackgroundRun>();
  /** For readers that follow all runs. */
  readonly changes = new ChangeFeed<BackgroundRun>(() => this.#byId.values());
  readonly restarts = new Restarts({
    runOf: (chain, attempt) => this.#byId.get(this.#attemptId(chain, attempt)),
    launch: (chain, request) => {
      this.#starter.startHere(this.#attemptId(chain, request.inChain?.attempt ?? 1), request);
    },
    changed: () => this.#retainer.checkSoon(),
  });
  readonly #retainer: Retainer<BackgroundRun>;
  #trouble: { text: string | null; atMs: number } | null = null;
  #live = 0;
  #endedRuns = 0;
  /** Tools of agents that report them through hooks. */
  readonly tools: ToolWatch;
  /** Set by the orphan search. */
  orphans: OrphanFindings = notLooking;

  private constructor(home: string, retention: Retention, clock: WallClock) {
    this.#runs = path.join(home, 'runs');
    this.#retention = retention;
    this.#retainer = new Retainer(retention, {
      runs: () => this.#byId.values(),
      isNeeded: (run) => this.isDelivering(run) || run.isOutputHeld || this.restarts.isPending(run),
      remove: (run) => this.remove(run),
    });
    this.#notices = new NoticeDesk(home, clock, routesFile());
    this.#attendance = new Attendance(this.#notices, clock);
    this.#starter = new RunStarter({
      runs: this.#runs,
      notices: this.#notices,
      started: (run) => this.#started(run),
    });
    this.#adoption = new Adoption(this.#runs, (run) => void this.#take(run));
    this.tools = new ToolWatch(this.#notices);
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
      await registry.#adoption.adopt(knownValue(listRuns(registry.#runs), 'the list of runs'));
      registry.restarts.open();
      return registry;
    } catch (error) {
      await registry.close();
      throw error;
    }
  }

  /** Directories of runs that cannot be read or adopted. */
  get setAside(): readonly SetAside[] {
    return this.#adoption.setAside;
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
    const run = this.#byId.get(id) ?? (await this.#starter.start(id, request));
    await Promise.race([run.started(), delay(startedMsMax, null, { ref: false })]);
    // The command was not started, or ended before it was seen.
    if (run.pid === null) await run.untilEnded(endMsMax);
    if (run.status === 'lost' && run.pid === null && run.on === null) {
      this.remove(run);
      throw neverStarted();
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

  /** Number of the newest notice; 0: there was none. */
  get lastNotice(): number {
    return this.#notices.last;
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
    const reasons: string[] = [];
    for (const { unreadable } of this.#byId.values()) if (unreadable !== null) reasons.push(unreadable);
    return unreadRunsWords([...reasons, ...unread.map(({ reason }) => reason)]) ?? shortOfDescriptors();
  }

  /** The same, at most some seconds old: it takes a look at every run, and a page asks more than once a second. */
  get recentTrouble(): string | null {
    const nowMs = performance.now();
    if (this.#trouble === null || nowMs - this.#trouble.atMs > troubleAgeMsMax) {
      this.#trouble = { text: this.trouble, atMs: nowMs };
    }
    return this.#trouble.text;
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
    this.changes.removed(run);
    discardRun(this.#runs, run.directory);
  }

  /** Detaches from all runs, which live on. Stops in progress are finished first. */
  async close(): Promise<void> {
    this.#retainer.close();
    this.#adoption.close();
    this.changes.close();
    this.#attendance.closeLeases();
    this.restarts.close();
    this.tools.close();
    await Promise.all([...this.#byId.values()].map((run) => run.settle()));
    this.#attendance.closeNotifiers();
    for (const run of this.#byId.values()) run.close();
    this.#starter.close();
    await this.#notices.close();
    this.#crowd.close();
  }

  /** A client cannot choose a request id with a blank. */
  #attemptId(chain: string, attempt: number): string {
    return attempt === 1 ? chain : runIdOf(this.#runs, `${chain} ${attempt}`);
  }

  #started({ launched, warnings }: StartedRun): BackgroundRun {
    const run = this.#take(launched);
    this.#lifecycle.started += 1;
    for (const warning of warnings) run.warn(warning);
    return run;
  }

  /** Throws when the files of the run cannot be read. Nothing of the run is then left here. */
  #take(launched: LaunchedRun): BackgroundRun {
    const { id } = launched.record;
    const run = this.#open(launched);
    try {
      this.#attendance.add(run);
    } catch (error) {
      this.#letGo(run);
      throw error;
    }
    this.#byId.set(id, run);
    this.#live += 1;
    this.changes.added(run);
    return run;
  }

  #open(launched: LaunchedRun): BackgroundRun {
    return new BackgroundRun({
      ...launched,
      crowd: this.#crowd,
      session: this.#starter.sessionOf(launched),
      capOf: (wantedBytes) => capOf(wantedBytes, this.#retention, this.#live),
      heard: (event) => this.#lifecycle.note(event),
      ended: () => {
        this.#live -= 1;
        this.#endedRuns += 1;
        this.#attendance.ended(launched.record.id);
        const run = this.#byId.get(launched.record.id);
        if (run !== undefined) this.restarts.ended(run);
        this.#retainer.checkSoon();
      },
    });
  }

  #letGo(run: BackgroundRun): void {
    this.#attendance.remove(run.id);
    run.close();
  }
}
