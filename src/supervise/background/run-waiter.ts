import fs from 'node:fs';
import type { WakeUp } from '../../model/background.js';
import { listeningPorts } from '../../probe/linux/listening-ports.js';
import type { BackgroundRun } from './background-run.js';
import { LineMatcher, type Match } from './line-matcher.js';

export interface WaitRequest {
  timeoutS: number;
  until: readonly WakeUp[];
  match?: string | undefined;
  port?: number | undefined;
  quietS?: number | undefined;
}

/** What ended a wait; `end`: how far of the output it was read for that. */
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

/** Waits for the first of what was asked for. Nothing of it touches the run. */
export class RunWaiter {
  readonly #run: BackgroundRun;
  readonly #request: WaitRequest;
  readonly #wants: ReadonlySet<WakeUp>;
  #matcher: LineMatcher | null;
  readonly #startedMs = performance.now();
  readonly #untilMs: number;
  /** Where in the output the search for a match began, and how far it has come. */
  #from: number;
  #at: number;
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
    this.#matcher = match === undefined ? null : new LineMatcher(match);
    this.#from = from;
    this.#at = from;
  }

  get waitedMs(): number {
    return performance.now() - this.#startedMs;
  }

  async wait(signal: AbortSignal): Promise<Woken> {
    const wake = () => this.#wake();
    const forget = this.#run.onChange(wake);
    const unwatch = this.#matcher === null ? () => {} : watchFile(this.#run.log.path, wake);
    signal.addEventListener('abort', wake);
    if (this.#wants.has('needs-input') || this.#wants.has('stuck')) this.#run.lookSoon();
    try {
      for (;;) {
        const woken = this.#look();
        if (woken !== null) return woken;
        signal.throwIfAborted();
        if (performance.now() >= this.#untilMs) return { status: 'timeout' };
        await this.#sleep();
      }
    } finally {
      signal.removeEventListener('abort', wake);
      unwatch();
      forget();
    }
  }

  #look(): Woken | null {
    const { status } = this.#run;
    // Asked before the end counts: the line may be the last one it printed.
    const match = this.#findMatch();
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

  #findMatch(): Match | null {
    const { match: pattern } = this.#request;
    if (this.#matcher === null || pattern === undefined) return null;
    const { view } = this.#run.log;
    const { droppedBytes } = view.trimmed();
    if (droppedBytes > this.#at) {
      // What was next is not kept any more.
      this.#matcher = new LineMatcher(pattern);
      this.#from = droppedBytes;
      this.#at = droppedBytes;
    }
    for (;;) {
      const chunk = view.read(this.#at, chunkBytes);
      if (chunk.length === 0) return null;
      this.#at += chunk.length;
      const match = this.#matcher.push(chunk);
      if (match !== null) return { line: match.line, end: this.#from + match.end };
    }
  }

  #quietInMs(): number {
    return (this.#request.quietS ?? quietDefaultS) * 1000 - this.#run.silentMs();
  }

  /** Until something changes, or there is something to look at. */
  #sleep(): Promise<void> {
    const due = [this.#untilMs - performance.now()];
    if (this.#wants.has('port')) due.push(portEveryMs);
    if (this.#wants.has('quiet')) due.push(Math.max(1, this.#quietInMs()));
    if (this.#matcher !== null) due.push(logEveryMs);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.min(...due)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function watchFile(path: string, changed: () => void): () => void {
  try {
    const watcher = fs.watch(path, { persistent: false }, changed);
    watcher.on('error', () => {});
    return () => watcher.close();
  } catch {
    // It is looked at every now and then anyway.
    return () => {};
  }
}
