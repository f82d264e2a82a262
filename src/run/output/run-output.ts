import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LineTail } from '../../diagnose/progress/lines.js';
import { hasVisible } from '../../diagnose/progress/newlines.js';
import type { RunLog, Stream } from '../../model/run/run.js';
import type { FilePiece } from '../../probe/machine.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { AgentMonitor } from '../health/agent-monitor.js';
import type { Launched } from '../launch/launch.js';
import type { WatchedOutput } from './clues.js';
import { OutputFollower } from './follow-output.js';
import { Gaps, type Silence } from './gaps.js';
import type { LogRoom } from './log-room.js';
import { OutputWatch } from './output-watch.js';
import { Pace } from './pace.js';
import { watchRoom } from './watch-room.js';

export interface RunOutputOptions {
  directory: RunDirectory | null;
  logs: readonly RunLog[];
  launched: Launched;
  /** Reads the output too; null: the name of the command is not that of an agent. */
  agent: AgentMonitor | null;
  take(stream: Stream, chunk: Buffer): Promise<void>;
  /** Takes a part of a log unread; null: not available. */
  takeFrom: ((stream: Stream, piece: FilePiece) => Promise<number>) | null;
  /** The reader of the passed-on output is gone. */
  broken(stream: Stream, error: NodeJS.ErrnoException): void;
  /** There is a log, but it cannot be written any more. */
  unlogged(): void;
}

/** A line that so many bytes follow is not shown any more. */
const shownBytes = 64 * 1024;
/** How long output may take from the command to its reader, on a machine with little CPU to spare. */
const catchUpMs = 10_000;
const catchUpEveryMs = 25;

/** Returns fewer bytes if the log cannot be read any more. */
function readBefore(file: number, end: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  try {
    return bytes.subarray(0, fs.readSync(file, bytes, 0, length, end - length));
  } catch {
    return bytes.subarray(0, 0);
  }
}

/** All output of a run: passed on byte for byte, and examined on the way. */
export class RunOutput implements WatchedOutput {
  readonly #followers: OutputFollower[];
  /** The end of the output, both streams together. */
  readonly tail = new LineTail();
  /** The stream that printed the last output; null: not known. */
  lineStream: Stream | null = null;
  readonly #isOneLog: boolean;
  agent: AgentMonitor | null;
  /** `lastMs` at the last call of `hasPrinted`. */
  #printedMs: number;
  /** null: there is no directory to watch. */
  readonly #watch: OutputWatch | null;
  #lastMs = performance.now();
  readonly #gaps = new Gaps();
  readonly #shim: number | null;
  readonly #pace: Pace;
  /** null: there is no log, or the output does not come from it. */
  #room: LogRoom | null = null;
  #hasFinished = false;
  #brokenStreams = new Set<Stream>();

  constructor(options: RunOutputOptions) {
    const { directory, logs, launched } = options;
    this.#shim = launched.shim;
    this.#pace = new Pace({
      shim: launched.shim,
      lag: () => this.#lag,
      held: () => {
        this.#notePrinted();
      },
    });
    this.#isOneLog = logs.length === 1;
    this.agent = options.agent;
    this.#printedMs = this.#lastMs;
    const follow = (stream: Stream, log: RunLog | undefined) =>
      new OutputFollower(
        {
          log:
            directory === null || log === undefined || launched.isLive
              ? null
              : { path: directory.file(log.file), start: log.start },
          live: launched.live[stream],
        },
        {
          take: (chunk) => this.#pass(stream, chunk, options),
          send: (piece) => this.#passFrom(stream, piece, options),
          unlogged: launched.isLive ? () => {} : options.unlogged,
        },
      );
    const [first, second] = logs;
    const streams: Stream[] = logs.length === 1 ? ['stdout'] : ['stdout', 'stderr'];
    this.#followers = streams.map((stream) => follow(stream, stream === 'stdout' ? first : second));
    const { shim } = launched;
    if (directory !== null && shim !== null && !launched.isLive) {
      this.#room = watchRoom({
        directory: directory.path,
        shim,
        followers: this.#followers,
        isHeldBack: () => this.isHeldBack,
      });
    }
    this.#watch = directory === null ? null : new OutputWatch(directory.path, this);
  }

  get bytes(): number {
    return this.#followers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** When output last came (heartbeats of an agent do not count), or when the run started. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The command waits because the reader of Unstuck's output does not read. */
  get isHeldBack(): boolean {
    return this.#pace.isHolding;
  }

  longestSilence(endMs: number): Silence {
    return this.#gaps.longest(endMs);
  }

  noteSilence(isSilence: boolean): void {
    const nowMs = performance.now();
    if (isSilence) this.#gaps.quiet(nowMs);
    else this.#gaps.skip(nowMs);
  }

  lastNow(): number {
    return this.#lastMs;
  }

  /** A command that is held back would print. */
  hasPrinted(): boolean {
    const printed = this.#lastMs !== this.#printedMs || this.isHeldBack;
    this.#printedMs = this.#lastMs;
    return printed;
  }

  /** Its earlier output is not known. */
  meet(agent: AgentMonitor): void {
    this.agent = agent;
  }

  /** Passes on what is available now. */
  async drain(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.drain()));
  }

  /** Passes on all that was printed so far. A command that goes on printing is not waited for. */
  async catchUp(): Promise<void> {
    const untilMs = performance.now() + catchUpMs;
    while (performance.now() < untilMs && !(await this.isDrained())) await delay(catchUpEveryMs);
    await this.drain();
  }

  /** The command has ended. The pipe contains the last of its output. */
  expectLast(): void {
    this.#pace.end();
  }

  /** After the shim has ended: passes on the rest. */
  async finish(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.finish()));
    this.#hasFinished = true;
  }

  /** All that was printed so far has left the pipe of the command; false: not proven. */
  async isDrained(): Promise<boolean> {
    const { areDrainsIdle } = await import('./drains.js');
    return this.#shim === null || areDrainsIdle(this.#shim);
  }

  /** Passes on what is available now, and nothing that comes later. */
  async drainPresent(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.drainPresent(() => this.isDrained())));
  }

  close(): void {
    this.#watch?.close();
    this.#room?.close(this.#hasFinished);
    this.#pace.close();
    this.tail.settle();
    for (const follower of this.#followers) follower.close();
  }

  /** As `#pass`, for bytes that need not be read here; 0: they have to be read. */
  async #passFrom(stream: Stream, piece: FilePiece, { takeFrom }: RunOutputOptions): Promise<number> {
    if (takeFrom === null || this.agent !== null || this.#brokenStreams.has(stream)) return 0;
    this.#notePrinted();
    const sent = await this.#pace.keep(() => takeFrom(stream, piece));
    if (sent > 0) {
      this.#seen(stream);
      const end = piece.at + sent;
      this.tail.defer({
        source: stream,
        bytes: sent,
        readEnd: (length) => readBefore(piece.file, end, length),
      });
    }
    return sent;
  }

  async #pass(stream: Stream, chunk: Buffer, { take, broken }: RunOutputOptions): Promise<void> {
    const isHeartbeat = stream === 'stdout' && this.agent?.push(chunk) === false;
    if (!isHeartbeat) this.#notePrinted();
    this.tail.push(chunk);
    if (this.lineStream !== stream && hasVisible(chunk.subarray(-shownBytes))) this.#seen(stream);
    if (this.#brokenStreams.has(stream)) return;
    try {
      await this.#pace.keep(() => take(stream, chunk));
    } catch (error) {
      this.#brokenStreams.add(stream);
      broken(stream, error as NodeJS.ErrnoException);
    }
  }

  #notePrinted(): void {
    this.#room?.grown();
    this.#lastMs = performance.now();
    this.#gaps.note(this.#lastMs);
  }

  #seen(stream: Stream): void {
    if (!this.#isOneLog) this.lineStream = stream;
  }

  get #lag(): number {
    return this.#followers.reduce((sum, { lag }) => sum + lag, 0);
  }
}
