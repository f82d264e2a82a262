import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import type { RunStatus } from '../../model/background.js';
import { Failure } from '../../model/failure.js';
import { notLooking, type OrphanFindings } from '../../model/orphan-findings.js';
import { bootId } from '../../probe/linux/identify.js';
import { makeDirectory } from '../../store/make-directory.js';
import { readRecord } from '../../store/read-record.js';
import { RunDirectory } from '../../store/run-directory.js';
import { NoticeDesk, type NoticeRequest } from '../notices/notice-desk.js';
import { RunNotifier } from '../notices/run-notifier.js';
import { type WallClock, wallClock } from '../notices/wall-clock.js';
import { BackgroundRun } from './background-run.js';
import { Crowd } from './crowd.js';
import { discardRun, type LaunchedRun, launchRun, removeDrafts } from './launch-run.js';
import { tellOwnerGone } from './lease-notice.js';
import { LeaseWatch } from './lease-watch.js';
import { prepareStart, type StartRequest } from './prepare-start.js';
import { capOf, type Retention, toGo } from './retention.js';

/** What `list` may be asked for. */
export interface RunFilter {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
}

/** A directory that looks like a run and cannot be read. */
export interface SetAside {
  directory: string;
  reason: string;
}

const adoptedAtOnce = 50;
const retainEveryMs = 60_000;
/** Whoever asked for a start that never came has asked again by then, or never will. */
const unclaimedMs = 60_000;
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
    await registry.#adoptAll();
    return registry;
  }

  /** Runs that have not ended. */
  get live(): number {
    return this.#live;
  }

  /** By its id, or the beginning of one: D1. */
  get(id: string): BackgroundRun {
    const digits = id.replace(/^run_/, '');
    const exact = this.#byId.get(`run_${digits}`);
    if (exact !== undefined) return exact;
    const found = /^[0-9a-f]{4,12}$/.test(digits)
      ? [...this.#byId.keys()].filter((known) => known.startsWith(`run_${digits}`))
      : [];
    const [only, ...others] = found;
    if (only === undefined) {
      throw new Failure(
        'no-such-run',
        `there is no run ${JSON.stringify(id)}`,
        'see which there are: unstuck list',
      );
    }
    if (others.length > 0) {
      throw new Failure(
        'no-such-run',
        `${found.length} runs begin with ${id}`,
        `one of ${found.slice(0, 5).join(', ')}`,
      );
    }
    return this.#byId.get(only) as BackgroundRun;
  }

  select({ task, owner, status }: RunFilter): BackgroundRun[] {
    return [...this.#byId.values()]
      .filter(
        (run) =>
          (task === undefined || run.record.background.task === task) &&
          (owner === undefined || run.record.background.owner === owner) &&
          (status === undefined || run.status === status),
      )
      .sort((a, b) => a.startedMs - b.startedMs);
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
      lookedMs: this.#crowd.lookedMs,
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

  async #adoptAll(): Promise<void> {
    const names = fs.readdirSync(this.#runs).filter((name) => /^run_[0-9a-f]{12}$/.test(name));
    for (const [index, name] of names.entries()) {
      if (index % adoptedAtOnce === 0) await yieldOnce();
      try {
        this.#adopt(new RunDirectory(this.#runs, name));
      } catch (error) {
        this.setAside.push({ directory: path.join(this.#runs, name), reason: (error as Error).message });
      }
    }
  }

  #adopt(directory: RunDirectory): void {
    const record = readRecord(directory.readRecord());
    if (typeof record === 'string') {
      this.setAside.push({ directory: directory.path, reason: record });
      return;
    }
    const { background } = record;
    if (background === null) return;
    if (directory.claimed === 'not' && record.supervisor?.bootId === bootId()) {
      const ageMs = Date.now() - Date.parse(record.startedAt);
      // Its start may be asked for again: then it is started.
      if (ageMs >= 0 && ageMs < unclaimedMs) return;
      directory.claim();
    }
    this.#take({ directory, record: { ...record, background }, keeper: null });
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
