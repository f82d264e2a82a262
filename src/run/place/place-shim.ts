import fs from 'node:fs';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Failure } from '../../model/failure.js';
import type { RunLog, Stream } from '../../model/run/run.js';
import { PlaceRefusal } from '../../places/refusals.js';
import type { PlaceSession } from '../../places/session.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { Tree } from '../health/tree.js';
import type { ShimReports } from '../parts.js';
import { type Command, type Standing, unknownExit } from '../state.js';
import { Mirror } from './mirror.js';
import type { PlaceState, ProcessThere } from './place-state.js';
import { PlaceTree } from './place-tree.js';
import { startValidMs } from './start-there.js';

export interface PlaceShimOptions {
  session: PlaceSession;
  directory: RunDirectory;
  logs: readonly RunLog[];
  /** When it was sent to its place; absent: the place has confirmed the start. */
  startedMs?: number;
  /** Called once, when the command is known. */
  met?(leader: ProcessIdentity): void;
  /** The place cannot be asked any more, for now. */
  away?(failure: Failure): void;
  /** Nothing is reported any more. */
  closed?(): void;
}

/** An end without a status is only believed when it shows again after this time: the status may come a moment later. */
const recordMsMax = 1500;
const startedAgainMs = 1000;
/** A container that does not exist in so many attempts in a row is gone. */
const goneAttempts = 4;
/** And for so long, or as long as a place may take to answer. */
const goneMsMin = 10_000;

/** A run whose place was unreachable for so long may be given up. */
const giveUpAfterMs = 5 * 60_000;

const lostName = 'lost.json';
const unreachableName = 'unreachable.json';

/** What the shim of a run in a place reports, through the copies of its files here. */
export class PlaceShim implements ShimReports {
  readonly #options: PlaceShimOptions;
  readonly #mirror: Mirror;
  #seen: (standing: Standing) => void = () => {};
  #leader: ProcessIdentity | null = null;
  #isDrained = false;
  readonly #drained: Promise<void>;
  #resolveDrained: () => void = () => {};
  /** Since when the place shows no end and nothing that could record one; null: it does not. */
  #endlessMs: number | null = null;
  #isAway = false;
  #isPlaceGone = false;
  #refused: { count: number; sinceMs: number } = { count: 0, sinceMs: 0 };

  constructor(options: PlaceShimOptions) {
    this.#options = options;
    this.#drained = new Promise((resolve) => {
      this.#resolveDrained = resolve;
    });
    this.#mirror = new Mirror({
      ...options,
      seen: (state) => this.#take(state),
      reachable: (failure) => this.#reachable(failure),
    });
  }

  /** Why its end is not known; null: not lost, or the reason is not known. */
  static lostReason(directory: RunDirectory): string | null {
    const content = directory.readJson(lostName);
    return content.kind === 'known' && typeof content.value === 'string' ? content.value : null;
  }

  /** Since when its place cannot be reached, also under earlier daemons; null: it can be, or that is not known. */
  static unreachableSince(directory: RunDirectory): string | null {
    const content = directory.readJson(unreachableName);
    return content.kind === 'known' && typeof content.value === 'string' ? content.value : null;
  }

  /** The place may print more for it. */
  get isHeld(): boolean {
    return !this.#isDrained;
  }

  follow(seen: (standing: Standing) => void): void {
    this.#seen = seen;
    const { directory } = this.#options;
    const reported = directory.hasReport;
    const exit = directory.readExit();
    if (reported.kind === 'known' && reported.value && exit.kind === 'known') {
      this.#finish();
      seen({ kind: 'ended', exit: exit.value ?? unknownExit, leader: null, shim: null });
    } else this.#mirror.follow();
  }

  treeOf({ leader }: Command): Tree | null {
    if (leader === null) return null;
    const { session, directory } = this.#options;
    return new PlaceTree({ leader, session, runId: directory.id, isLost: () => this.#isPlaceGone });
  }

  async drained(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms).unref();
    });
    try {
      return await Promise.race([this.#drained.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The reader of a stream is gone: the command gets a broken pipe, and the rest of that output is not copied. A drain
   * that cannot be found leaves the signal.
   */
  async abandon(stream: Stream): Promise<void> {
    const { session, directory, logs } = this.#options;
    const log = logs.find((one) => one.stream === stream || one.stream === 'both');
    if (log === undefined) return;
    this.#mirror.abandon(log);
    const { status } = await session.request(`up_break ${directory.id} ${log.file}`);
    if (status === 0 || this.#leader === null) return;
    await this.treeOf({ leader: this.#leader, shim: null })?.forward('SIGPIPE');
  }

  /** A run whose output is held open is followed on. */
  close(): void {
    this.#seen = () => {};
    if (this.#isDrained) this.#mirror.close();
    this.#options.closed?.();
  }

  /** The run counts as lost, whatever becomes of it there. false: its place can be reached, or was a short while ago. */
  giveUp(): boolean {
    const { directory, session } = this.#options;
    const since = PlaceShim.unreachableSince(directory);
    if (!this.#isAway || since === null || !(Date.now() - Date.parse(since) >= giveUpAfterMs)) return false;
    this.#isPlaceGone = true;
    this.#lose(`it was given up, because ${session.place.name} could not be reached since ${since}`);
    return true;
  }

  /** Nothing of the run is followed any more. */
  release(): void {
    this.close();
    this.#mirror.close();
  }

  #take(state: PlaceState): void {
    this.#refused = { count: 0, sinceMs: 0 };
    const { name } = this.#options.session.place;
    if (state.kind === 'gone') {
      if (this.#leader !== null) this.#lose(`${name} has no files of this run any more`);
      else if (Date.now() < this.#startableUntilMs) this.#mirror.again(startedAgainMs);
      else this.#lose(`it was never started: the connection to ${name} broke`);
      return;
    }
    const leader = this.#identityOf(state.leader);
    const hasShim = state.shim?.isAlive === true;
    if (state.exit !== null) {
      const exit = this.#options.directory.readExit();
      if (exit.kind === 'known' && exit.value !== null) {
        this.#seen({ kind: 'ended', exit: exit.value, leader, shim: null });
      }
      if (!hasShim) this.#finish();
    } else if (hasShim || state.leader?.isAlive === true) {
      this.#endlessMs = null;
      this.#seen(leader === null ? { kind: 'starting' } : { kind: 'running', leader, shim: null });
    } else if (state.isClaimed) {
      this.#endlessMs ??= performance.now();
      if (performance.now() - this.#endlessMs < recordMsMax) this.#mirror.again(recordMsMax);
      else this.#lose(`the shell that kept it in ${name} was killed`);
    } else this.#seen({ kind: 'unclaimed' });
  }

  /** Until then a start that was sent may still be carried out there. */
  get #startableUntilMs(): number {
    const { startedMs } = this.#options;
    return startedMs === undefined ? 0 : startedMs + startValidMs + startedAgainMs;
  }

  /** A place that cannot be asked proves nothing, unless it is gone for good. */
  #reachable(failure: Failure | null): void {
    if (failure !== null && !this.#isAway) this.#options.away?.(failure);
    this.#isAway = failure !== null;
    this.#noteUnreachable();
    // What was seen before proves nothing now.
    this.#endlessMs = null;
    if (failure === null) return;
    const nowMs = performance.now();
    if (failure instanceof PlaceRefusal && failure.isGone) {
      const { count, sinceMs } = this.#refused;
      this.#refused = { count: count + 1, sinceMs: count === 0 ? nowMs : sinceMs };
      const longMs = Math.min(goneMsMin, this.#options.session.place.answerMs);
      if (count + 1 >= goneAttempts && nowMs - this.#refused.sinceMs >= longMs) {
        this.#isPlaceGone = true;
        this.#lose(failure.message);
        return;
      }
    } else this.#refused = { count: 0, sinceMs: 0 };
    this.#seen({ kind: 'unknown', reason: failure.message });
  }

  #noteUnreachable(): void {
    const { directory } = this.#options;
    try {
      if (!this.#isAway) fs.rmSync(directory.file(unreachableName), { force: true });
      else if (PlaceShim.unreachableSince(directory) === null)
        directory.writeWhole(unreachableName, new Date().toISOString());
    } catch {
      // The time is not shown.
    }
  }

  #lose(reason: string): void {
    const { directory } = this.#options;
    try {
      directory.writeWhole(lostName, reason);
    } catch {
      // The end is reported without its reason.
    }
    this.#seen({ kind: 'ended', exit: unknownExit, leader: this.#leader, shim: null });
    this.#finish();
  }

  #finish(): void {
    this.#isDrained = true;
    this.#mirror.close();
    this.#resolveDrained();
  }

  /** The boot id makes it the identity of no process on this machine. */
  #identityOf(there: ProcessThere | null): ProcessIdentity | null {
    if (there === null) return this.#leader;
    const { pid, startTicks } = there;
    const isNew = this.#leader === null;
    this.#leader = { bootId: this.#options.session.place.name, pid, startTicks };
    if (isNew) this.#options.met?.(this.#leader);
    return this.#leader;
  }
}
