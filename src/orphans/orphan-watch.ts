import type {
  Orphan,
  OrphanCheck,
  OrphanEvent,
  OrphanFindings,
  OrphanKill,
  OrphanWatchStatistics,
} from '../model/orphan.js';
import { type WallClock, wallClock } from '../notices/wall-clock.js';

export interface OrphanWatchOptions {
  everyMs: number;
  /** Younger orphans do not count: a parent may be about to end them. */
  olderThanMs: number;
  /** Stop confirmed orphans; off by default. */
  autoKill: boolean;
  /** Finds all orphans, of any age. */
  find(): Promise<OrphanCheck>;
  /** Stops confirmed orphans and returns the result for each. */
  kill(olderThanMs: number): Promise<OrphanKill>;
  /** Called once per orphan and kind of event. */
  report(event: OrphanEvent): void;
  /** A failed check does not end the watch: the next check may succeed. */
  failed(error: unknown): void;
  /** Number of runs that have ended: a check must follow each end. */
  runsEnded?(): number;
  clock?: WallClock;
}

/** The first check comes soon: an idle daemon may exit before the second. */
const firstMsMax = 5000;

/** On a machine with very many processes, checks become rarer, so that all together take this share of a core. */
const checksShare = 1 / 1000;
const everyMost = 5;

/** Reported events to remember; a machine has fewer processes. */
const rememberedMax = 50_000;

/** Checks for orphans periodically, reports each once, and stops them only with `autoKill`. */
export class OrphanWatch implements OrphanFindings {
  readonly #options: OrphanWatchOptions;
  readonly #clock: WallClock;
  /** Kind and identity of every reported event. */
  readonly #reported = new Set<string>();
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

  /** Orphans that the last check found and that were not stopped since. */
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
   * Starts nothing new. Resolves when nothing is half done: a kill under way finishes, and the result for each process
   * is reported first.
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

  /** The next check is timed from the end of this one, so checks never overlap. */
  async #check(): Promise<void> {
    const ends = this.#runsEnded();
    const cpuBefore = process.cpuUsage();
    try {
      await this.#findAndKill();
    } catch (error) {
      // A failed first check does not keep the daemon alive; the next check runs as long as it lives.
      if (this.#lastCheckAt === null) this.#isUnfinished = false;
      this.#options.failed(error);
    }
    this.#endsSeen = ends;
    const { user, system } = process.cpuUsage(cpuBefore);
    const affordableMs = (user + system) / 1000 / checksShare;
    const { everyMs } = this.#options;
    const waitMs = Math.min(everyMost * everyMs, Math.max(everyMs, affordableMs));
    if (!this.#isStopped) this.#state = this.#wait(waitMs);
  }

  #runsEnded(): number {
    return this.#options.runsEnded?.() ?? 0;
  }

  get #isStopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  async #findAndKill(): Promise<void> {
    const { find, kill, autoKill, olderThanMs } = this.#options;
    const { orphans, liveRuns } = await find();
    if (this.#isStopped) return;
    const found = orphans.filter(({ ageMs }) => ageMs >= olderThanMs);
    // A foreground run is worth waiting for only if its leftovers are to be stopped.
    this.#isUnfinished = found.length < orphans.length || (autoKill && liveRuns > 0);
    this.#found = found;
    this.#lastCheckAt = this.#at();
    for (const orphan of found) this.#detect(orphan);
    const isOurs = found.some(({ classification }) => classification === 'confirmed');
    if (autoKill && isOurs) this.#account(await kill(olderThanMs));
  }

  #detect(orphan: Orphan): void {
    if (this.#reportOnce({ kind: 'detected', at: this.#at(), orphan, because: null })) this.#detected += 1;
  }

  /** Results are reported even after stop(): a log with DETECTED and no KILLED would be wrong. */
  #account({ results }: OrphanKill): void {
    const gone = new Set<string>();
    for (const { result, because, ...orphan } of results) {
      if (result === 'killed') {
        gone.add(keyOf(orphan));
        this.#killed += 1;
      }
      // Unproven orphans were never to be stopped, so a skip is not reported.
      if (result !== 'killed' && result !== 'failed') continue;
      // It may have become an orphan after `find`.
      this.#detect(orphan);
      this.#reportOnce({ kind: result, at: this.#at(), orphan, because });
    }
    this.#found = this.#found.filter((orphan) => !gone.has(keyOf(orphan)));
  }

  /** false: already reported. */
  #reportOnce(event: OrphanEvent): boolean {
    const key = `${event.kind} ${keyOf(event.orphan)}`;
    if (this.#reported.has(key)) return false;
    const [oldest] = this.#reported;
    if (this.#reported.size >= rememberedMax && oldest !== undefined) this.#reported.delete(oldest);
    this.#reported.add(key);
    this.#options.report(event);
    return true;
  }

  #at(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}

/** Unique within this boot, and this process does not outlive the boot. */
function keyOf({ pid, startTicks }: Orphan): string {
  return `${pid} ${startTicks}`;
}
