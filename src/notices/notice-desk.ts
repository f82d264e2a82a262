import { advanceBreaker, type BreakerEvent, releaseInMs } from '../diagnose/notices/advance-breaker.js';
import { type BreakerState, readBreakerState } from '../diagnose/notices/breaker-state.js';
import { breakerLimits, type WatchNotice } from '../diagnose/notices/limits.js';
import { knownValue } from '../model/facts/reading.js';
import type { Notice, NoticeDraft, NoticeEvent, NoticeKind, NoticeWishes } from '../model/notice.js';
import { waitMsMax } from '../model/run/background.js';
import { daemonFile } from '../store/daemon-files.js';
import { readJson, writeWhole } from '../store/files.js';
import { Consumers } from '../store/notices/consumers.js';
import { NoticeLog } from '../store/notices/notice-log.js';
import type { RunDirectory } from '../store/run-directory.js';
import { Deliveries, deliveredUpTo } from './deliveries.js';
import { Routes } from './routes/routes.js';
import { type WallClock, wallClock } from './wall-clock.js';

/** The run of a notice, stored with the notice. */
export type About = Pick<NoticeDraft, 'runId' | 'label' | 'task' | 'owner' | 'tags'>;

export interface NoticeRequest {
  consumer: string;
  ack?: number | undefined;
  after?: number | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
  limit: number;
  timeoutS: number;
}

/** Since the start of this daemon. */
export interface NoticeFigures {
  issued: Readonly<Partial<Record<NoticeKind, number>>>;
  /** By the breaker. */
  suppressed: number;
  /** Matches that were reported later than they came, within their window, or only as a number. */
  matchesHeldBack: number;
}

interface ReportedNotice extends Notice {
  repeat: boolean;
  known: boolean;
}

const nobody: About = { runId: null, label: null, task: null, owner: null, tags: [] };
/** All stored notices: the last notice, the end of the run, must be among them. */
const resentMax = 10_000;

/** The notices of all runs: numbered, stored, returned until acknowledged, delivered to commands and webhooks. */
export class NoticeDesk {
  readonly #clock: WallClock;
  readonly #breakerPath: string;
  readonly #log: NoticeLog;
  readonly #consumers: Consumers;
  readonly #deliveries = new Deliveries();
  readonly #routes: Routes;
  readonly #waiting = new Set<() => void>();
  readonly #issued: Partial<Record<NoticeKind, number>> = {};
  #suppressed = 0;
  #matchesHeldBack = 0;
  #breaker: BreakerState;
  #cancelRelease: (() => void) | null = null;

  /** `routesFile`: null: there are no routes. Throws when the state home cannot be used. */
  constructor(home: string, clock: WallClock = wallClock, routesFile: string | null = null) {
    this.#clock = clock;
    this.#consumers = Consumers.open(home);
    const { highest: after } = this.#consumers;
    const acked = () => this.#consumers.ackedByAll;
    this.#log = NoticeLog.open(home, { after, nowMs: clock.nowMs(), acked });
    this.#breakerPath = daemonFile(home, 'breaker');
    this.#breaker = readBreakerState(knownValue(readJson(this.#breakerPath), 'breaker.json'));
    const log = this.#log;
    this.#routes = new Routes({
      home,
      file: routesFile,
      log: {
        get last() {
          return log.last;
        },
        after: (seq) => log.since(seq, resentMax).notices,
      },
    });
    this.#awaitRelease();
  }

  /** Number of notices that commands and webhooks have not received yet, of one run or of all and of all routes. */
  pending(runId?: string): number {
    return this.#deliveries.pending(runId) + (runId === undefined ? this.#routes.pending : 0);
  }

  /** What routes ask a run to report, and why the file with the routes cannot be used; null: it can. */
  routed(about: Omit<About, 'runId'>): { events: NoticeEvent[]; fault: string | null } {
    const events = this.#routes.eventsFor(about);
    return { events, fault: this.#routes.fault };
  }

  /** Number of the newest notice; 0: there was none. */
  get last(): number {
    return this.#log.last;
  }

  get figures(): NoticeFigures {
    return { issued: this.#issued, suppressed: this.#suppressed, matchesHeldBack: this.#matchesHeldBack };
  }

  /** Called for a run that is started or adopted. */
  add(directory: RunDirectory, cwd: string, wishes: NoticeWishes): void {
    const { notices } = this.#log.since(deliveredUpTo(directory, wishes), resentMax, { runId: directory.id });
    this.#deliveries.add({ directory, cwd, wishes, notices });
  }

  /** Called before the directory of the run is removed. */
  forget(runId: string): void {
    this.#deliveries.forget(runId);
  }

  /**
   * Reports a notice once, however often it is found. A notice is held back when there are too many of its kind. Throws
   * when it cannot be stored; it was then not reported.
   */
  report(about: About, notice: WatchNotice): void {
    const atMs = this.#clock.nowMs();
    const isOld = this.#log.has(about.runId, notice.key);
    if (isOld) return;
    const passes = this.#advance({ kind: 'notice', noticeKind: notice.kind, runId: about.runId ?? '', atMs });
    if (passes) this.#append(about, notice, atMs);
    else this.#suppressed += 1;
  }

  /** Returns the notices that a consumer has not acknowledged. Waits until there is one. */
  async read(
    request: NoticeRequest,
    signal: AbortSignal,
    isKnown: (notice: Notice) => boolean,
  ): Promise<{ notices: ReportedNotice[]; last: number; more: number }> {
    const { consumer, ack, after = 0, task, owner, tag, limit, timeoutS } = request;
    if (ack !== undefined) this.#consumers.ack(consumer, ack, this.#log.last);
    const untilMs = performance.now() + Math.min(waitMsMax, timeoutS * 1000);
    for (;;) {
      signal.throwIfAborted();
      const { acked, given } = this.#consumers.of(consumer);
      const { notices, more } = this.#log.since(Math.max(acked, after), limit, { task, owner, tag });
      const leftMs = untilMs - performance.now();
      if (notices.length > 0 || leftMs <= 0) {
        const last = notices.at(-1)?.seq ?? Math.max(acked, after);
        if (last > given) this.#consumers.given(consumer, last);
        const issued = notices.map((one) => ({ ...one, repeat: one.seq <= given, known: isKnown(one) }));
        return { notices: issued, last, more };
      }
      await this.#nextNotice(leftMs, signal);
    }
  }

  async close(): Promise<void> {
    this.#cancelRelease?.();
    await Promise.all([this.#deliveries.close(), this.#routes.close()]);
    this.#log.close();
  }

  #append(about: About, notice: WatchNotice, atMs: number): void {
    const issued = this.#log.append({ ...about, ...notice }, atMs);
    if (issued === null) return;
    this.#issued[issued.kind] = (this.#issued[issued.kind] ?? 0) + 1;
    if (issued.runId !== null) this.#matchesHeldBack += issued.suppressed;
    this.#deliveries.push(issued);
    this.#routes.push(issued);
    for (const wake of [...this.#waiting]) wake();
  }

  /** Advances the breaker, which all runs share. Returns whether the notice may be reported. */
  #advance(event: BreakerEvent): boolean {
    const { state, passes, notices } = advanceBreaker(this.#breaker, event, breakerLimits);
    for (const notice of notices) this.#append(nobody, notice, event.atMs);
    this.#breaker = state;
    try {
      writeWhole(this.#breakerPath, state);
    } catch {
      // The disk is full. The state holds until this daemon ends.
    }
    this.#awaitRelease();
    return passes;
  }

  #awaitRelease(): void {
    const inMs = releaseInMs(this.#breaker, this.#clock.nowMs(), breakerLimits);
    if (inMs === null || this.#cancelRelease !== null) return;
    this.#cancelRelease = this.#clock.after(inMs, () => {
      this.#cancelRelease = null;
      this.#advance({ kind: 'tick', atMs: this.#clock.nowMs() });
    });
  }

  #nextNotice(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
