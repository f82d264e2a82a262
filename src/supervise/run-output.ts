import { LineTail } from '../diagnose/progress/lines.js';
import {
  advancedAtMs,
  advanceProgress,
  glanceProgress,
  missLines,
  patienceMs,
  phaseOfProgress,
  readProgress,
  startProgress,
} from '../diagnose/progress/progress.js';
import type { Progress, RunLog, Stream } from '../model/run.js';
import type { RunDirectory } from '../store/run-directory.js';
import { OutputFollower, watchDirectory } from './follow-output.js';
import type { Launched } from './launch.js';

export interface RunOutputOptions {
  directory: RunDirectory | null;
  logs: readonly RunLog[];
  launched: Launched;
  /** Recognises progress; null: only the built-in ways. */
  progress: RegExp | null;
  take(stream: Stream, chunk: Buffer): Promise<void>;
  /** Nobody reads what is passed on any more. */
  broken(stream: Stream): void;
  /** There is a log, but it cannot be written any more. */
  unlogged(): void;
}

/** All output of a run: passed on byte for byte, and looked at on the way. */
export class RunOutput {
  readonly #followers: OutputFollower[];
  readonly #tail = new LineTail();
  readonly #custom: RegExp | null;
  readonly #unwatch: () => void;
  #progress = startProgress;
  #lastMs = performance.now();
  #brokenStreams = new Set<Stream>();

  constructor(options: RunOutputOptions) {
    const { directory, logs, launched } = options;
    this.#custom = options.progress;
    const follow = (stream: Stream, log: RunLog | undefined) =>
      new OutputFollower(
        {
          log:
            directory === null || log === undefined
              ? null
              : { path: directory.file(log.file), start: log.start },
          live: launched.live[stream],
        },
        (chunk) => this.#pass(stream, chunk, options),
        directory === null ? () => {} : options.unlogged,
      );
    const [first, second] = logs;
    const streams: Stream[] = logs.length === 1 ? ['stdout'] : ['stdout', 'stderr'];
    this.#followers = streams.map((stream) => follow(stream, stream === 'stdout' ? first : second));
    this.#unwatch = directory === null ? () => {} : watchDirectory(directory.path, () => void this.drain());
  }

  get bytes(): number {
    return this.#followers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** When something was printed last, or when it started. */
  get lastMs(): number {
    return this.#lastMs;
  }

  get lastLine(): string {
    return this.#tail.lastLine;
  }

  get lastLines(): string[] {
    return this.#tail.lastLines;
  }

  /** The phase its output names; null: it names none. */
  get phase(): string | null {
    return phaseOfProgress(this.#progress);
  }

  get progressAdvancedMs(): number | null {
    return advancedAtMs(this.#progress);
  }

  /** Progress that stands still for less than this is no stall: its steps take that long. */
  get progressPatienceMs(): number {
    return patienceMs(this.#progress);
  }

  progress(): Progress | null {
    return readProgress(this.#progress, performance.now());
  }

  /** Reads what the new lines say about progress. */
  look(): void {
    const custom = this.#custom ?? undefined;
    const { lines, missed } = this.#tail.takeFresh();
    if (missed > 0) this.#progress = missLines(this.#progress);
    for (const line of lines) {
      this.#progress = advanceProgress(this.#progress, line, this.#lastMs, custom);
    }
    this.#progress = glanceProgress(this.#progress, this.#tail.unfinished, this.#lastMs, custom);
  }

  /** Passes on what is there by now. */
  async drain(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.drain()));
  }

  /** After the shim has ended: passes on the rest. */
  async finish(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.finish()));
  }

  close(): void {
    this.#unwatch();
    for (const follower of this.#followers) follower.close();
  }

  async #pass(stream: Stream, chunk: Buffer, { take, broken }: RunOutputOptions): Promise<void> {
    this.#lastMs = performance.now();
    this.#tail.push(chunk);
    if (this.#brokenStreams.has(stream)) return;
    try {
      await take(stream, chunk);
    } catch {
      this.#brokenStreams.add(stream);
      broken(stream);
    }
  }
}
