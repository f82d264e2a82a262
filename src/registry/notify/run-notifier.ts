import { advanceWatch, type WatchEvent, wakeInMs } from '../../diagnose/notices/advance-watch.js';
import { type WatchLimits, watchLimits } from '../../diagnose/notices/limits.js';
import { usablePatterns } from '../../diagnose/notices/pattern.js';
import type { Trouble, WatchState } from '../../diagnose/notices/watch-state.js';
import type { NoticeWishes } from '../../model/notice.js';
import { LogSearch } from '../../notices/log-search.js';
import type { About, NoticeDesk } from '../../notices/notice-desk.js';
import type { Findings } from '../../notices/pattern-search.js';
import { type WallClock, wallClock } from '../../notices/wall-clock.js';
import type { BackgroundRun } from '../background-run.js';
import { KeptWatch } from './kept-watch.js';
import { LogMonitor } from './log-monitor.js';

/** The pause before a notice that could not be stored is tried again. */
const retryMs = 1000;
/** Enough for the output in a notice. */
const outputChars = 2000;
/** The shortest pause before a notice that is not possible now is tried again. */
const wakeMsMin = 20;

type Happening = WatchEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'atMs'>
    : never
  : never;

/** Gives the notices that a run was asked for. */
export class RunNotifier {
  readonly #run: BackgroundRun;
  readonly #desk: NoticeDesk;
  readonly #clock: WallClock;
  readonly #limits: WatchLimits;
  readonly #patterns: readonly string[];
  readonly #about: About;
  readonly #search: LogSearch;
  /** Why some patterns are not searched for at all. */
  readonly #refused: readonly string[];
  #monitor: LogMonitor | null = null;
  #unhear = () => {};
  #cancelWake = () => {};
  /** A notice could not be stored. Nothing goes on before it is tried again. */
  #cancelRetry: (() => void) | null = null;
  readonly #kept: KeptWatch;
  /** A stall of an earlier daemon lasts until more than these bytes are printed; null: there was none. */
  readonly #stalledBytes: number | null;
  #closed = false;

  constructor(run: BackgroundRun, wishes: NoticeWishes, desk: NoticeDesk, clock: WallClock = wallClock) {
    this.#run = run;
    this.#desk = desk;
    this.#clock = clock;
    this.#limits = watchLimits(wishes);
    const { patterns, refused } = usablePatterns(wishes.patterns);
    this.#patterns = patterns;
    this.#refused = refused;
    const { id, label, background } = run.record;
    const { task, owner, tags } = background;
    this.#about = { runId: id, label, task, owner, tags };
    const beganMs = Math.min(run.startedMs, clock.nowMs());
    this.#kept = new KeptWatch(run.directory, beganMs);
    this.#stalledBytes = this.#state.episodes.stalled.open ? run.log.view.size() : null;
    this.#search = new LogSearch(run.log.view, patterns, this.#state.searchedTo);
    if (this.#state.ended) return;
    for (const reason of refused) this.#warnLost(reason);
    this.#reportRefused();
    this.#unhear = run.onChange(() => this.#changed());
    if (this.#isSearching) this.#monitor = this.#openMonitor();
    this.#awaitWake();
    this.#changed();
  }

  /** Stops the work for the run here. The next daemon continues. */
  close(): void {
    this.#closed = true;
    this.#unhear();
    this.#monitor?.close();
    this.#cancelWake();
    this.#cancelRetry?.();
  }

  get #state(): WatchState {
    return this.#kept.state;
  }

  get #isAtWork(): boolean {
    return !this.#closed && this.#cancelRetry === null;
  }

  get #isSearching(): boolean {
    return this.#patterns.length > 0 && !this.#state.patternsOff && !this.#state.ended;
  }

  #openMonitor(): LogMonitor {
    return new LogMonitor({
      run: this.#run,
      search: this.#search,
      isWanted: () => this.#isSearching && this.#cancelRetry === null,
      take: (findings) => this.#take(findings),
      caughtUp: () => this.#kept.save(),
    });
  }

  #changed(): void {
    if (!this.#isAtWork) return;
    if (this.#run.exit !== null) void this.#finish();
    else this.#hearHealth();
  }

  /** Each trouble is an episode. Only its beginning and its end are events. */
  #hearHealth(): void {
    const { trouble, state, isJudged } = this.#run;
    if (!isJudged) return;
    const stall = this.#run.stall ?? this.#earlierStall;
    const troubles = [
      ...(trouble === null ? [] : [{ trouble, reason: state.why }]),
      ...(stall === null ? [] : [{ trouble: 'stalled' as const, reason: stall }]),
    ];
    const isOpen = (name: Trouble) => troubles.some((one) => one.trouble === name);
    const { episodes } = this.#state;
    const isNews = (Object.keys(episodes) as Trouble[]).some((name) => episodes[name].open !== isOpen(name));
    const { health } = state;
    if (isNews && health !== null) {
      this.#feed({ kind: 'health', health, troubles, output: this.#lastOutput() });
    }
  }

  /** This daemon has not seen it come, so it does not know the reason. It was told. */
  get #earlierStall(): string | null {
    const stands = this.#stalledBytes !== null && this.#run.log.tail.bytes <= this.#stalledBytes;
    return stands ? 'nothing was printed since' : null;
  }

  /** At the end: first the last output, then the exit. */
  async #finish(): Promise<void> {
    const { exit, outputLost } = this.#run;
    if (exit === null || this.#state.ended) return;
    try {
      if (this.#isSearching) await this.#monitor?.search();
    } catch {
      // The last output cannot be read now, and its notices come before the end.
      this.#retry();
      return;
    }
    // A notice about the last output could not be stored, and comes before the end.
    if (!this.#isAtWork || this.#state.ended) return;
    this.#feed({ kind: 'exit', exit, output: this.#lastOutput(), outputLost });
    if (this.#state.ended) this.close();
  }

  #take({ failures, ...matches }: Findings): void {
    for (const { message } of failures) {
      this.#warnLost(message);
      this.#feed({ kind: 'pattern-lost', reason: message });
      // The retry finds all of it again.
      if (!this.#isAtWork) return;
    }
    const { searchedTo } = this.#search;
    if (matches.count > 0 || this.#kept.isBehind(searchedTo)) {
      this.#feed({ kind: 'matches', searchedTo, ...matches });
    }
  }

  #warnLost(reason: string): void {
    this.#run.warn(`${reason}: the pattern is off now`);
  }

  /** Each is reported once, because its key stays the same. */
  #reportRefused(): void {
    for (const reason of this.#refused) if (this.#isAtWork) this.#feed({ kind: 'pattern-lost', reason });
  }

  /**
   * Advances by an event. Notices are given first, then the state is saved: a daemon killed in between leaves the next
   * one to give the same notices again.
   */
  #feed(happening: Happening): void {
    const event = { ...happening, atMs: this.#clock.nowMs() } as WatchEvent;
    const { state, notices } = advanceWatch(this.#state, event, this.#limits);
    try {
      for (const notice of notices) this.#desk.report(this.#about, notice);
    } catch (error) {
      this.#run.warn((error as Error).message);
      this.#retry();
      return;
    }
    // Matches that are only counted are counted again from the last saved state.
    this.#kept.advance(state, event.kind === 'matches' && notices.length === 0);
    this.#awaitWake();
  }

  /** Starts again where the last state ends. */
  #retry(): void {
    this.#search.goTo(this.#state.searchedTo);
    this.#cancelWake();
    this.#cancelRetry ??= this.#clock.after(retryMs, () => {
      this.#cancelRetry = null;
      this.#reportRefused();
      this.#changed();
      this.#monitor?.snapshotSoon();
      this.#awaitWake();
    });
  }

  #awaitWake(): void {
    this.#cancelWake();
    const inMs = !this.#isAtWork ? null : wakeInMs(this.#state, this.#clock.nowMs(), this.#limits);
    if (inMs === null) return;
    this.#cancelWake = this.#clock.after(Math.max(inMs, wakeMsMin), () => void this.#wake());
  }

  async #wake(): Promise<void> {
    if (this.#limits.everyMs > 0) await this.#reportProgress();
    if (this.#isAtWork && !this.#state.ended) this.#feed({ kind: 'tick' });
  }

  async #reportProgress(): Promise<void> {
    const { log, elapsedMs } = this.#run;
    try {
      const counted = await log.view.lines({ limit: 0, plain: false }, new AbortController().signal);
      const { health } = this.#run.state;
      if (!this.#isAtWork || health === null) return;
      const output = this.#lastOutput();
      this.#feed({ kind: 'progress', health, elapsedMs, lines: counted.totalLines, output });
    } catch {
      // The log cannot be read now, or the directory is gone.
      if (!this.#closed) this.#retry();
    }
  }

  #lastOutput(): string {
    const { view } = this.#run.log;
    try {
      const size = view.size();
      const options = { limit: outputChars, plain: true, ended: true };
      return view.readText(Math.max(0, size - 4 * outputChars), size, options).output;
    } catch {
      return '';
    }
  }
}
