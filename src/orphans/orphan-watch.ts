import type { Orphan, OrphanCheck, OrphanEvent, OrphanKill, OrphanWatchStatistics } from '../model/orphan.js';
import type { OrphanFindings } from '../model/orphan-findings.js';
import { type WallClock, wallClock } from '../supervise/notices/wall-clock.js';

export interface OrphanWatchOptions {
  everyMs: number;
  /** Younger ones do not count: whoever left them may be about to end them. */
  olderThanMs: number;
  /** Stops those that are proven to be ours; off unless somebody wants it (F5). */
  autoKill: boolean;
  /** All orphans, of any age. */
  find(): Promise<OrphanCheck>;
  /** Stops those that are proven to be ours, and says what became of each. */
  kill(olderThanMs: number): Promise<OrphanKill>;
  /** Never twice the same of one orphan. */
  tell(event: OrphanEvent): void;
  /** A look that failed is no end: the next one may not. */
  failed(error: unknown): void;
  /** Grows with every run that ends: a check must follow it. */
  runsEnded?(): number;
  clock?: WallClock;
}

/** The first look comes soon: a daemon with little to do may be gone before the second. */
const firstMsMax = 5000;

/** What was told is remembered of so many; a machine has fewer processes. */
const rememberedMax = 50_000;

/** Looks for orphans again and again, tells each of them once, and stops them only if it was told to: F5. */
export class OrphanWatch implements OrphanFindings {
  readonly #options: OrphanWatchOptions;
  readonly #clock: WallClock;
  /** Kind and identity of all that was told. */
  readonly #told = new Set<string>();
  #state: { kind: 'waiting'; cancel: () => void } | { kind: 'checking' } | { kind: 'stopped' };
  #checking: Promise<void> = Promise.resolve();
  #found: readonly Orphan[] = [];
  /** Whether the last check saw something that a later check must look at; true before the first check. */
  #isUnfinished = true;
  #endsSeen = 0;
  #lastCheckAt: string | null = null;
  #detected = 0;
  #killed = 0;

  constructor(options: OrphanWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#state = this.#wait(Math.min(options.everyMs, firstMsMax));
  }

  get statistics(): OrphanWatchStatistics {
    return {
      watching: this.#state.kind !== 'stopped',
      lastCheckAt: this.#lastCheckAt,
      detected: this.#detected,
      killed: this.#killed,
    };
  }

  /** Those that the last look found and that were not stopped since. */
  get found(): readonly Orphan[] {
    return this.#found;
  }

  /**
   * A later check is needed: an orphan is still too young to be reported, a run may leave one, or a run has ended
   * since the last check. With nothing of that, the program that runs the watch may end.
   */
  get hasWork(): boolean {
    if (this.#isStopped) return false;
    return this.#state.kind === 'checking' || this.#isUnfinished || this.#runsEnded() !== this.#endsSeen;
  }

  /**
   * Begins nothing new. Resolves when nothing is half done any more: a kill under way comes to its end, and what
   * became of each process is reported before that.
   */
  stop(): Promise<void> {
    if (this.#state.kind === 'waiting') this.#state.cancel();
    this.#state = { kind: 'stopped' };
    return this.#checking;
  }

  #wait(ms: number): { kind: 'waiting'; cancel: () => void } {
    const cancel = this.#clock.after(ms, () => {
      this.#state = { kind: 'checking' };
      this.#checking = this.#check();
    });
    return { kind: 'waiting', cancel };
  }

  /** The next one is counted from the end of this one: looks never overlap, however long one takes. */
  async #check(): Promise<void> {
    const ends = this.#runsEnded();
    try {
      await this.#look();
    } catch (error) {
      // A check that fails proves no need of another one; the next one is made as long as the program lives.
      if (this.#lastCheckAt === null) this.#isUnfinished = false;
      this.#options.failed(error);
    }
    this.#endsSeen = ends;
    if (!this.#isStopped) this.#state = this.#wait(this.#options.everyMs);
  }

  #runsEnded(): number {
    return this.#options.runsEnded?.() ?? 0;
  }

  get #isStopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  async #look(): Promise<void> {
    const { find, kill, autoKill, olderThanMs } = this.#options;
    const { orphans, liveRuns } = await find();
    if (this.#isStopped) return;
    const found = orphans.filter(({ ageMs }) => ageMs >= olderThanMs);
    // A run in the foreground is worth waiting for only if what it leaves is to be stopped.
    this.#isUnfinished = found.length < orphans.length || (autoKill && liveRuns > 0);
    this.#found = found;
    this.#lastCheckAt = this.#at();
    for (const orphan of found) this.#detect(orphan);
    const isOurs = found.some(({ classification }) => classification === 'confirmed');
    if (autoKill && isOurs) this.#account(await kill(olderThanMs));
  }

  #detect(orphan: Orphan): void {
    if (this.#tellOnce({ kind: 'detected', at: this.#at(), orphan, because: null })) this.#detected += 1;
  }

  /** What is done is reported also after stop(): a log with DETECTED and no KILLED would not be true. */
  #account({ results }: OrphanKill): void {
    const gone = new Set<string>();
    for (const { result, because, ...orphan } of results) {
      if (result === 'killed') {
        gone.add(keyOf(orphan));
        this.#killed += 1;
      }
      // Those that are not proven to be ours were never to be stopped: that is no news.
      if (result !== 'killed' && result !== 'failed') continue;
      // It may have become one since the look.
      this.#detect(orphan);
      this.#tellOnce({ kind: result, at: this.#at(), orphan, because });
    }
    this.#found = this.#found.filter((orphan) => !gone.has(keyOf(orphan)));
  }

  /** false: it was reported before. */
  #tellOnce(event: OrphanEvent): boolean {
    const key = `${event.kind} ${keyOf(event.orphan)}`;
    if (this.#told.has(key)) return false;
    const [oldest] = this.#told;
    if (this.#told.size >= rememberedMax && oldest !== undefined) this.#told.delete(oldest);
    this.#told.add(key);
    this.#options.tell(event);
    return true;
  }

  #at(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}

/** With the boot of this machine, which ends with us, its identity. */
function keyOf({ pid, startTicks }: Orphan): string {
  return `${pid} ${startTicks}`;
}
