import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { WakeUp } from '../model/run/background.js';
import { waitMsMax } from '../model/run/background.js';
import { LogSearch } from '../notices/log-search.js';
import { listeningPorts } from '../probe/ports.js';
import { watchFile } from '../run/output/watch-file.js';
import type { BackgroundRun } from './background-run.js';

export interface WaitRequest {
  timeoutS: number;
  until: readonly WakeUp[];
  match?: string | undefined;
  port?: number | undefined;
  quietS?: number | undefined;
}

/** A line, and the number of output bytes up to its end. */
interface Match {
  line: string;
  end: number;
}

/** What ended a wait. */
export type Woken =
  | { status: 'exited' | 'lost' | 'timeout' | 'needs-input' | 'stuck' | 'quiet' }
  | { status: 'match'; match: Match }
  | { status: 'port'; port: number };

const quietDefaultS = 10;
const portEveryMs = 250;
const searchMsMin = 250;

/** Waits for the first of the requested conditions. The wait never affects the run. */
export class RunWaiter {
  readonly #run: BackgroundRun;
  readonly #request: WaitRequest;
  readonly #wants: ReadonlySet<WakeUp>;
  readonly #search: LogSearch | null;
  readonly #startedMs = performance.now();
  readonly #untilMs: number;
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
    this.#search = match === undefined ? null : new LogSearch(run.log.view, [match], from);
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
    if (this.#wants.has('needs-input') || this.#wants.has('stuck')) this.#run.snapshotSoon();
    try {
      for (;;) {
        this.#isWoken = false;
        const woken = await this.#check(signal);
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

  async #check(signal: AbortSignal): Promise<Woken | null> {
    const { status } = this.#run;
    // Searched before the end counts, because the line may be the last that the run printed.
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

  /** Searches the output so far until the time is up, and yields in between. */
  async #findMatch(signal: AbortSignal): Promise<Match | null> {
    const search = this.#search;
    // A caller with no time to wait still gets a match in the present output.
    const endMs = Math.max(this.#untilMs, performance.now() + searchMsMin);
    while (search !== null && !signal.aborted && performance.now() < endMs) {
      const found = await search.next();
      const { first, failures } = found ?? (await search.unfinished());
      if (first !== null) return first;
      if (failures[0] !== undefined) throw failures[0];
      if (found === null) return null;
      await letOthersRun();
    }
    return null;
  }

  #quietInMs(): number {
    return (this.#request.quietS ?? quietDefaultS) * 1000 - this.#run.silentMs();
  }

  /** Sleeps until the state changes, or there is new output to search. */
  #sleep(): Promise<void> {
    const due = [this.#untilMs - performance.now()];
    if (this.#wants.has('port')) due.push(portEveryMs);
    if (this.#wants.has('quiet')) due.push(Math.max(1, this.#quietInMs()));
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.min(...due)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
