import type { Orphan, OrphanEvent, OrphanKill, OrphanWatchStatistics } from '../model/orphan.js';
import type { OrphanFindings } from '../model/orphan-findings.js';
import { type WallClock, wallClock } from '../supervise/notices/wall-clock.js';

export interface OrphanWatchOptions {
  everyMs: number;
  /** Younger ones do not count: whoever left them may be about to end them. */
  olderThanMs: number;
  /** Stops those that are proven to be ours; off unless somebody wants it (F5). */
  autoKill: boolean;
  find(olderThanMs: number): Promise<Orphan[]>;
  /** Stops those that are proven to be ours, and says what became of each. */
  kill(olderThanMs: number): Promise<OrphanKill>;
  /** Never twice the same of one orphan. */
  tell(event: OrphanEvent): void;
  /** A look that failed is no end: the next one may not. */
  failed(error: unknown): void;
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

  /** Nothing is told from now on. Resolves when nothing is half done any more. */
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
    try {
      await this.#look();
    } catch (error) {
      this.#options.failed(error);
    }
    if (!this.#isStopped) this.#state = this.#wait(this.#options.everyMs);
  }

  get #isStopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  async #look(): Promise<void> {
    const { find, kill, autoKill, olderThanMs } = this.#options;
    const found = await find(olderThanMs);
    if (this.#isStopped) return;
    this.#found = found;
    this.#lastCheckAt = this.#at();
    for (const orphan of found) this.#detect(orphan);
    const isOurs = found.some(({ classification }) => classification === 'confirmed');
    if (autoKill && isOurs) this.#account(await kill(olderThanMs));
  }

  #detect(orphan: Orphan): void {
    if (this.#tellOnce({ kind: 'detected', at: this.#at(), orphan, because: null })) this.#detected += 1;
  }

  /** What is done is counted also when nobody is to hear of it any more. */
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

  /** false: it was told before, or nobody listens any more. */
  #tellOnce(event: OrphanEvent): boolean {
    const key = `${event.kind} ${keyOf(event.orphan)}`;
    if (this.#isStopped || this.#told.has(key)) return false;
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
