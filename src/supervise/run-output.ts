import { LineTail } from '../diagnose/progress/lines.js';
import type { RunLog, Stream } from '../model/run.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { AgentWatch } from './agent-watch.js';
import { OutputFollower, watchDirectory } from './follow-output.js';
import type { HoldBack } from './hold-back.js';
import type { Launched } from './launch.js';

export interface RunOutputOptions {
  directory: RunDirectory | null;
  logs: readonly RunLog[];
  launched: Launched;
  /** Reads along; null: the command is no agent, as far as its name tells. */
  agent: AgentWatch | null;
  take(stream: Stream, chunk: Buffer): Promise<void>;
  /** Nobody reads what is passed on any more. */
  broken(stream: Stream, error: NodeJS.ErrnoException): void;
  /** There is a log, but it cannot be written any more. */
  unlogged(): void;
}

/** So much at once is a flood; then we come back only after this. */
const floodBytes = 64 * 1024;
const floodPauseMs = 5;

/** More than so many bytes that nobody takes are not kept on the disk; below this the command may go on. */
const lagMax = 64 * 1024 * 1024;
const lagMin = 1024 * 1024;
const paceEveryMs = 100;

/** All output of a run: passed on byte for byte, and looked at on the way. */
export class RunOutput {
  readonly #followers: OutputFollower[];
  /** The end of it, both streams together. */
  readonly tail = new LineTail();
  /** May be found out later, from the programs it starts. */
  agent: AgentWatch | null;
  readonly #unwatch: () => void;
  #lastMs = performance.now();
  #pause: NodeJS.Timeout | null = null;
  readonly #keeper: number;
  #holdBack: HoldBack | null = null;
  #isLast = false;
  #brokenStreams = new Set<Stream>();

  constructor(options: RunOutputOptions) {
    const { directory, logs, launched } = options;
    this.#keeper = launched.keeper;
    this.agent = options.agent;
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
    this.#unwatch = directory === null ? () => {} : watchDirectory(directory.path, () => this.#changed());
  }

  get bytes(): number {
    return this.#followers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** When something was printed last, or when it started. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The command waits because whoever reads our output does not. */
  get isHeldBack(): boolean {
    return this.#holdBack?.isHolding === true;
  }

  /** Passes on what is there by now. */
  async drain(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.drain()));
  }

  /** The command has ended: what it left in the pipe is all there will be. */
  expectLast(): void {
    this.#isLast = true;
    this.#holdBack?.release();
  }

  /** After the shim has ended: passes on the rest. */
  async finish(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.finish()));
  }

  /** Passes on what is there by now, and nothing that comes later. */
  async drainPresent(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.drainPresent()));
  }

  close(): void {
    this.#unwatch();
    this.#holdBack?.close();
    if (this.#pause !== null) clearTimeout(this.#pause);
    for (const follower of this.#followers) follower.close();
  }

  /** What floods is passed on in larger pieces: whoever prints it needs the CPU more than we do. */
  #changed(): void {
    if (this.#pause !== null) return;
    const before = this.bytes;
    void this.drain().then(() => {
      if (this.bytes - before < floodBytes) return;
      this.#pause ??= setTimeout(() => {
        this.#pause = null;
        this.#changed();
      }, floodPauseMs);
    });
  }

  async #pass(stream: Stream, chunk: Buffer, { take, broken }: RunOutputOptions): Promise<void> {
    this.#lastMs = performance.now();
    this.tail.push(chunk);
    if (stream === 'stdout') this.agent?.push(chunk);
    if (this.#brokenStreams.has(stream)) return;
    const waiting = setInterval(() => this.#keepPace(), paceEveryMs);
    try {
      await take(stream, chunk);
    } catch (error) {
      this.#brokenStreams.add(stream);
      broken(stream, error as NodeJS.ErrnoException);
    } finally {
      clearInterval(waiting);
      if (this.isHeldBack && this.#lag < lagMin) this.#holdBack?.release();
    }
  }

  /** Nobody takes what we have: the command is not to print much more, and that is not its silence. */
  #keepPace(): void {
    if (this.isHeldBack) this.#lastMs = performance.now();
    else if (this.#lag > lagMax) void this.#hold();
  }

  async #hold(): Promise<void> {
    const { HoldBack } = await import('./hold-back.js');
    if (this.#isLast) return;
    this.#holdBack ??= new HoldBack(this.#keeper);
    this.#holdBack.hold();
  }

  get #lag(): number {
    return this.#followers.reduce((sum, { lag }) => sum + lag, 0);
  }
}
