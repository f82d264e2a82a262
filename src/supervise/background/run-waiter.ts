import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { WakeUp } from '../../model/background.js';
import { listeningPorts } from '../../probe/linux/listening-ports.js';
import { PatternSearch } from '../notices/pattern-search.js';
import { watchFile } from '../watch-file.js';
import type { BackgroundRun } from './background-run.js';

export interface WaitRequest {
  timeoutS: number;
  until: readonly WakeUp[];
  match?: string | undefined;
  port?: number | undefined;
  quietS?: number | undefined;
}

/** A line, and how many bytes of output there are up to its end. */
interface Match {
  line: string;
  end: number;
}

/** What ended a wait. */
export type Woken =
  | { status: 'exited' | 'lost' | 'timeout' | 'needs-input' | 'stuck' | 'quiet' }
  | { status: 'match'; match: Match }
  | { status: 'port'; port: number };

/** D2. */
export const waitMsMax = 180_000;

const quietDefaultS = 10;
const portEveryMs = 250;
const logEveryMs = 250;
const chunkBytes = 256 * 1024;
const searchMsMin = 250;

/** Waits for the first of what was asked for. Nothing of it touches the run. */
export class RunWaiter {
  readonly #run: BackgroundRun;
  readonly #request: WaitRequest;
  readonly #wants: ReadonlySet<WakeUp>;
  #search: PatternSearch | null;
  readonly #startedMs = performance.now();
  readonly #untilMs: number;
  /** How far the output has been searched. */
  #at: number;
  #isWoken = false;
  #wake: () => void = () => {};

  constructor(run: BackgroundRun, request: WaitRequest, from = 0) {
    this.#run = run;
    this.#request = request;
    this.#untilMs = this.#startedMs + Math.min(waitMsMax, request.timeoutS * 1000);
    const { match, port } = request;
    this.#wants = new Set<WakeUp>([
      ...request.until,
      ...(match === undefined ? [] : (['match'] as const)),
      ...(port === undefined ? [] : (['port'] as const)),
    ]);
    this.#search = match === undefined ? null : new PatternSearch([match], from);
    this.#at = from;
  }

  get waitedMs(): number {
    return performance.now() - this.#startedMs;
  }

  async wait(signal: AbortSignal): Promise<Woken> {
    const wake = () => {
      this.#isWoken = true;
      this.#wake();
    };
    const forget = this.#run.onChange(wake);
    const unwatch = this.#search === null ? () => {} : watchFile(this.#run.log.path, wake);
    signal.addEventListener('abort', wake);
    if (this.#wants.has('needs-input') || this.#wants.has('stuck')) this.#run.lookSoon();
    try {
      for (;;) {
        this.#isWoken = false;
        const woken = await this.#look(signal);
        if (woken !== null) return woken;
        signal.throwIfAborted();
        if (performance.now() >= this.#untilMs) return { status: 'timeout' };
        if (!this.#isWoken) await this.#sleep();
      }
    } finally {
      signal.removeEventListener('abort', wake);
      unwatch();
      forget();
    }
  }

  async #look(signal: AbortSignal): Promise<Woken | null> {
    const { status } = this.#run;
    // Asked before the end counts: the line may be the last one it printed.
    const match = await this.#findMatch(signal);
    if (match !== null) return { status: 'match', match };
    if (status !== 'running') return { status };
    const health = this.#run.trouble;
    if (health !== null && this.#wants.has(health)) return { status: health };
    if (this.#wants.has('port')) {
      const ports = listeningPorts(this.#run.pids());
      const { port = ports[0] } = this.#request;
      if (port !== undefined && ports.includes(port)) return { status: 'port', port };
    }
    return this.#wants.has('quiet') && this.#quietInMs() <= 0 ? { status: 'quiet' } : null;
  }

  /** Searches what there is by now, until the time is up; others have their turn in between. */
  async #findMatch(signal: AbortSignal): Promise<Match | null> {
    const { match: pattern } = this.#request;
    if (this.#search === null || pattern === undefined) return null;
    const { view } = this.#run.log;
    // Whoever has no time to wait still wants what is there.
    const endMs = Math.max(this.#untilMs, performance.now() + searchMsMin);
    while (!signal.aborted && performance.now() < endMs) {
      const { droppedBytes } = view.trimmed();
      if (droppedBytes > this.#at) {
        // What was next is not kept any more.
        this.#search = new PatternSearch([pattern], droppedBytes);
        this.#at = droppedBytes;
      }
      const chunk = view.read(this.#at, chunkBytes);
      this.#at += chunk.length;
      // A prompt has no newline.
      const isLast = chunk.length === 0;
      const { first, failures } = isLast ? this.#search.pushUnfinished() : this.#search.push(chunk);
      if (first !== null) return first;
      if (failures[0] !== undefined) throw failures[0];
      if (isLast) return null;
      await letOthersRun();
    }
    return null;
  }

  #quietInMs(): number {
    return (this.#request.quietS ?? quietDefaultS) * 1000 - this.#run.silentMs();
  }

  /** Until something changes, or there is something to look at. */
  #sleep(): Promise<void> {
    const due = [this.#untilMs - performance.now()];
    if (this.#wants.has('port')) due.push(portEveryMs);
    if (this.#wants.has('quiet')) due.push(Math.max(1, this.#quietInMs()));
    if (this.#search !== null) due.push(logEveryMs);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.min(...due)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
