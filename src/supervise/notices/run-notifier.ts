import { setImmediate as letOthersRun } from 'node:timers/promises';
import { advanceWatch, type WatchEvent, wakeInMs } from '../../diagnose/notices/advance-watch.js';
import { type WatchLimits, watchLimits } from '../../diagnose/notices/limits.js';
import { readWatchState, type Trouble, type WatchState } from '../../diagnose/notices/watch-state.js';
import type { NoticeWishes } from '../../model/notice.js';
import type { BackgroundRun } from '../background/background-run.js';
import { watchFile } from '../watch-file.js';
import { LogSearch } from './log-search.js';
import type { About, NoticeDesk } from './notice-desk.js';
import type { Findings } from './pattern-search.js';

const fileName = 'watch.json';
/** What floods is searched in larger pieces. */
const lookPauseMs = 50;
const unfinishedMs = 1000;
/** So much without a match is not searched again by the next daemon. */
const savedBytes = 64 * 1024 * 1024;
/** A notice that could not be kept is told again. */
const retryMs = 1000;
/** Enough for what a notice shows. */
const outputChars = 2000;
const timerMsMax = 2 ** 31 - 1;
/** What cannot be told now is not tried again at once. */
const wakeMsMin = 20;

type Happening = WatchEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'atMs'>
    : never
  : never;

/** Sees to it that one run tells what it was asked to: E1 to E3, E5, E8. */
export class RunNotifier {
  readonly #run: BackgroundRun;
  readonly #desk: NoticeDesk;
  readonly #limits: WatchLimits;
  readonly #patterns: readonly string[];
  readonly #about: About;
  readonly #stops: (() => void)[] = [];
  #state: WatchState;
  readonly #search: LogSearch;
  #looking: Promise<void> | null = null;
  #again = false;
  #pause: NodeJS.Timeout | null = null;
  #quiet: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** `windowMs`: E2, unless a test has less time. */
  constructor(run: BackgroundRun, wishes: NoticeWishes, desk: NoticeDesk, windowMs?: number) {
    this.#run = run;
    this.#desk = desk;
    const limits = watchLimits(wishes);
    this.#limits = windowMs === undefined ? limits : { ...limits, windowMs };
    this.#patterns = wishes.patterns;
    const { id, label, background } = run.record;
    const { task, owner, tags } = background;
    this.#about = { runId: id, label, task, owner, tags };
    this.#state = readWatchState(run.directory.readJson(fileName));
    this.#search = new LogSearch(run.log.view, wishes.patterns, this.#state.searchedTo);
    if (this.#state.ended) return;
    this.#stops.push(run.onChange(() => this.#changed()));
    if (this.#isSearching) {
      this.#stops.push(watchFile(run.log.path, () => this.#lookSoon()));
      this.#lookSoon();
    }
    this.#awaitWake();
    this.#changed();
  }

  /** Lets go of it; the next daemon goes on. */
  close(): void {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    if (this.#pause !== null) clearTimeout(this.#pause);
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  get #isSearching(): boolean {
    return this.#patterns.length > 0 && !this.#state.patternsOff && !this.#state.ended;
  }

  #changed(): void {
    if (this.#closed) return;
    if (this.#run.exit !== null) void this.#finish();
    else this.#hearHealth();
  }

  /** Each trouble is an episode: only its beginning and its end are events. */
  #hearHealth(): void {
    const { stall, trouble, state } = this.#run;
    const troubles = [
      ...(trouble === null ? [] : [{ trouble, reason: state.why }]),
      ...(stall === null ? [] : [{ trouble: 'stalled' as const, reason: stall }]),
    ];
    const isOpen = (name: Trouble) => troubles.some((one) => one.trouble === name);
    const { episodes } = this.#state;
    const isNews = (Object.keys(episodes) as Trouble[]).some((name) => episodes[name].open !== isOpen(name));
    if (isNews) this.#feed({ kind: 'health', health: state.health, troubles, output: this.#lastOutput() });
  }

  /** The end: what was printed last first, then the exit. */
  async #finish(): Promise<void> {
    const { exit } = this.#run;
    if (exit === null || this.#state.ended) return;
    if (this.#isSearching) await this.#look();
    if (this.#closed || this.#state.ended) return;
    this.#feed({ kind: 'exit', exit, output: this.#lastOutput() });
    if (this.#state.ended) this.close();
  }

  #lookSoon(): void {
    if (this.#closed || !this.#isSearching || this.#pause !== null) return;
    this.#pause = setTimeout(() => {
      this.#pause = null;
      void this.#look();
    }, lookPauseMs).unref();
  }

  /** Searches all there is by now. */
  #look(): Promise<void> {
    if (this.#looking !== null) {
      this.#again = true;
      return this.#looking;
    }
    this.#looking = this.#searchAll().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #searchAll(): Promise<void> {
    do {
      this.#again = false;
      for (let found = this.#nextFindings(); found !== null; found = this.#nextFindings()) {
        this.#take(found);
        await letOthersRun();
      }
      this.#searchUnfinished();
    } while (this.#again && !this.#closed);
  }

  #nextFindings(): Findings | null {
    return this.#closed || !this.#isSearching ? null : this.#search.next();
  }

  /** A prompt has no newline; but a line that is being printed is not to be taken for all there is of it. */
  #searchUnfinished(): void {
    if (this.#closed || !this.#isSearching) return;
    const isQuiet = this.#run.exit !== null || this.#run.silentMs() >= unfinishedMs;
    if (isQuiet) this.#take(this.#search.unfinished());
    else this.#quiet ??= setTimeout(() => this.#hearQuiet(), unfinishedMs).unref();
  }

  #hearQuiet(): void {
    this.#quiet = null;
    this.#lookSoon();
  }

  #take({ failures, ...matches }: Findings): void {
    for (const failure of failures) this.#run.warn(`${failure.message}: it is not looked for any more`);
    const { searchedTo } = this.#search;
    if (matches.count > 0 || searchedTo - this.#state.searchedTo > savedBytes) {
      this.#feed({ kind: 'matches', searchedTo, ...matches });
    }
  }

  /** One event further: first told, then saved, so that whoever is killed in between tells it again, as the same. */
  #feed(happening: Happening): void {
    const { state, notices } = advanceWatch(
      this.#state,
      { ...happening, atMs: Date.now() } as WatchEvent,
      this.#limits,
    );
    try {
      for (const notice of notices) this.#desk.tell(this.#about, notice);
    } catch (error) {
      this.#run.warn((error as Error).message);
      this.#retry();
      return;
    }
    this.#state = state;
    try {
      this.#run.directory.writeWhole(fileName, state);
    } catch {
      // A full disk, or the directory is gone: found again, it is not told again.
    }
    this.#awaitWake();
  }

  /** From where the last saved state ends. */
  #retry(): void {
    this.#search.goTo(this.#state.searchedTo);
    setTimeout(() => {
      this.#changed();
      this.#lookSoon();
    }, retryMs).unref();
  }

  #awaitWake(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const inMs = this.#closed ? null : wakeInMs(this.#state, Date.now(), this.#limits);
    if (inMs === null) return;
    this.#timer = setTimeout(
      () => void this.#wake(),
      Math.min(Math.max(inMs + 1, wakeMsMin), timerMsMax),
    ).unref();
  }

  async #wake(): Promise<void> {
    this.#timer = null;
    if (this.#limits.everyMs > 0) await this.#tellProgress();
    if (!this.#closed && !this.#state.ended) this.#feed({ kind: 'tick' });
  }

  async #tellProgress(): Promise<void> {
    const { log, state, elapsedMs } = this.#run;
    try {
      const counted = await log.view.lines({ limit: 0, plain: false }, new AbortController().signal);
      if (this.#closed || this.#run.exit !== null) return;
      const output = this.#lastOutput();
      this.#feed({ kind: 'progress', health: state.health, elapsedMs, lines: counted.totalLines, output });
    } catch {
      // The directory is gone.
    }
  }

  #lastOutput(): string {
    const { view } = this.#run.log;
    const size = view.size();
    try {
      const options = { limit: outputChars, plain: true, ended: true };
      return view.readText(Math.max(0, size - 4 * outputChars), size, options).output;
    } catch {
      return '';
    }
  }
}
