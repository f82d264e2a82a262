import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListedRun } from '../../model/operations/outputs.js';
import type { WebEvents } from '../../model/web.js';
import { callOperation } from './daemon-client.js';
import { livingHolder } from './lock-holder.js';

const askS = 25;
const againMs = 1000;
const pulseMs = 500;

const hasEnded = 'the daemon has ended; the runs go on';

type FeedEvent = 'runs' | 'away' | 'back';
type Tell = <Name extends FeedEvent>(name: Name, data: WebEvents[Name]) => void;

/** All runs of the daemon, kept up to date for a page or a screen, also when the daemon is killed and comes back. */
export class RunFeed {
  readonly runs = new Map<string, ListedRun>();
  readonly #tell: Tell;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;
  #last: Pick<WebEvents['runs'], 'lastNotice' | 'trouble'> | null = null;
  #awaySinceMs: number | null = null;
  #daemon: number | null = null;

  constructor(tell: Tell, { home, env }: { home: string; env: NodeJS.ProcessEnv }) {
    this.#tell = tell;
    this.#home = home;
    this.#env = env;
  }

  /** Everything, for a reader that comes later; null: nothing is known yet. */
  get whole(): WebEvents['runs'] | null {
    return this.#last && { ...this.#last, whole: true, runs: [...this.runs.values()], removed: [] };
  }

  /** Until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    const pulse = setInterval(() => this.#checkDaemon(), pulseMs);
    // One request follows another: a connection for each would cost the daemon as much as the answer.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let since: string | undefined;
    while (!signal.aborted) {
      try {
        const input = { timeoutS: askS, ...(since !== undefined && { since }) };
        const { cursor, ...news } = await callOperation('changes', input, { signal, agent, env: this.#env });
        since = cursor;
        this.#take(news);
      } catch (error) {
        if (signal.aborted) break;
        since = undefined;
        this.#away(error instanceof Error ? error.message : String(error));
        await delay(againMs, undefined, { signal }).catch(() => {});
      }
    }
    agent.destroy();
    clearInterval(pulse);
  }

  #take(news: WebEvents['runs']): void {
    if (news.whole) this.runs.clear();
    for (const run of news.runs) this.runs.set(run.id, run);
    for (const id of news.removed) this.runs.delete(id);
    this.#last = { lastNotice: news.lastNotice, trouble: news.trouble };
    const daemon = livingHolder(this.#home)?.identity.pid ?? null;
    // The next daemon may be there before the end of the last one was noticed.
    if (this.#daemon !== null && daemon !== this.#daemon && this.#awaySinceMs === null) this.#away(hasEnded);
    this.#daemon = daemon;
    if (this.#awaySinceMs !== null) {
      this.#tell('back', { awayMs: Date.now() - this.#awaySinceMs });
      this.#awaySinceMs = null;
    }
    const isNews = news.whole || news.runs.length + news.removed.length > 0;
    if (isNews) this.#tell('runs', news);
  }

  /** A request that waits would notice the end of the daemon only later. */
  #checkDaemon(): void {
    if (this.#daemon === null || this.#awaySinceMs !== null) return;
    const pid = livingHolder(this.#home)?.identity.pid ?? null;
    if (pid !== this.#daemon) this.#away(hasEnded);
  }

  #away(reason: string): void {
    this.#awaySinceMs ??= Date.now();
    this.#tell('away', { sinceMs: this.#awaySinceMs, reason });
  }
}
