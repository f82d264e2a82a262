import fs from 'node:fs';
import type { RunSettings } from '../../config/run-settings.js';
import { LineTail } from '../../diagnose/progress/lines.js';
import { isMissing } from '../../model/facts/reading.js';
import type { RunLog } from '../../model/run/run.js';
import { AgentMonitor } from '../../run/health/agent-monitor.js';
import type { WatchedOutput } from '../../run/output/clues.js';
import { Gaps, type Silence } from '../../run/output/gaps.js';
import { readOwnFile } from '../../store/files.js';
import { isWrittenBefore, LogTimes } from '../../store/log/log-times.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** Of more new output than this only the end is read. The log has all of it. */
const readMax = 64 * 1024;
/** More is read of an agent's output, because its events are needed. */
const agentReadMax = 1024 * 1024;
/**
 * While no process of a tree runs, its log is polled once in this many ticks: with many runs, polling is much of a
 * tick.
 */
const stillTicksMax = 4;

export interface OutputTailOptions {
  directory: RunDirectory;
  log: RunLog;
  settings: RunSettings;
  /** How long the run has lasted under another daemon. */
  unseenMs: number;
  /** The command line, if the output is that of a terminal of its own; null: it is not. */
  onTerminal: string | null;
}

/** The end of a log that is polled now and then. No file stays open in between. */
export class OutputTail implements WatchedOutput {
  readonly tail = new LineTail();
  readonly #path: string;
  readonly #start: number;
  #bytes = 0;
  #lastWriteMs = 0;
  #polledMs: number | null = null;
  readonly #openedAtMs = Date.now();
  /** Wall clock. */
  #polledAtMs = 0;
  readonly #times: LogTimes;
  #lastMs: number | null = null;
  readonly #gaps: Gaps;
  #agent: AgentMonitor | null;
  /** Consecutive ticks at which no process had run. */
  #stillTicks = 0;
  /** There was output since the last call of `hasPrinted`: other readers may have taken it in. */
  #hasNew = false;

  constructor({ directory, log, settings, unseenMs, onTerminal }: OutputTailOptions) {
    this.#gaps = new Gaps(unseenMs);
    this.#path = directory.file(log.file);
    this.#start = log.start;
    this.#times = new LogTimes(directory.path);
    // Other agents are found in the tree, once their output shows that they are there.
    this.#agent = AgentMonitor.of(onTerminal?.split(' ') ?? [], settings);
  }

  /** As of the last poll. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Wall clock; 0: never. */
  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  /**
   * On the clock of `performance.now()`, which neither jumps nor counts the sleep of the machine. Only output from
   * before the first poll is dated by the file.
   */
  get lastMs(): number | null {
    return this.#lastMs;
  }

  get agent(): AgentMonitor | null {
    return this.#agent;
  }

  longestSilence(endMs: number): Silence {
    return this.#gaps.longest(endMs);
  }

  noteSilence(isSilence: boolean): void {
    if (!isSilence) this.#gaps.skip(performance.now());
    else if (this.#polledMs !== null) this.#gaps.quiet(this.#polledMs);
  }

  lastNow(): number | null {
    this.catchUp();
    return this.#lastMs;
  }

  /** A tree that did not run has printed nothing. Output of processes outside the tree is noticed a little later. */
  hasPrinted(ran: boolean): boolean {
    this.#stillTicks = ran ? 0 : this.#stillTicks + 1;
    // After the first still tick, the last output may still be on its way to the log.
    const isDue = this.#stillTicks <= 1 || this.#stillTicks % stillTicksMax === 0;
    if (isDue) this.catchUp();
    const hasNew = this.#hasNew;
    this.#hasNew = false;
    return hasNew;
  }

  /** The agent's earlier output is in the log, but without times, so all of it counts as printed now. */
  meet(agent: AgentMonitor): void {
    const from = Math.max(0, this.#bytes - agentReadMax);
    if (from > 0) agent.skip();
    try {
      agent.push(this.#bytesBetween(from, this.#bytes));
    } catch {
      agent.skip();
    }
    this.#agent = agent;
  }

  /** Reads new output. Returns whether there was any, heartbeats not counted. An unreadable log counts as no output. */
  catchUp(): boolean {
    try {
      const stat = fs.statSync(this.#path);
      const bytes = Math.max(0, stat.size - this.#start);
      const nowMs = performance.now();
      const unseenMs = nowMs - (this.#polledMs ?? Number.NEGATIVE_INFINITY);
      const isFirst = this.#polledMs === null;
      this.#polledMs = nowMs;
      const last = { atMs: this.#polledAtMs, bytes: this.#bytes };
      this.#polledAtMs = Date.now();
      if (bytes === this.#bytes) return false;
      if (!isFirst && bytes > this.#bytes) this.#times.note(last);
      // Output that cannot be read counts.
      let isOutput = true;
      try {
        isOutput = this.#read(bytes);
      } finally {
        if (isOutput) {
          // A daemon that adopts a run finds output that came long before.
          this.#hasNew ||= !(isFirst && isWrittenBefore(stat.mtimeMs, this.#openedAtMs));
          this.#lastWriteMs = stat.mtimeMs;
          this.#lastMs = nowMs - Math.min(Math.max(0, Date.now() - stat.mtimeMs), unseenMs);
          this.#gaps.note(this.#lastMs, nowMs - unseenMs);
        }
      }
      return isOutput;
    } catch (error) {
      // The run may be printing, so this does not count as silence.
      if (!isMissing(error)) {
        this.#lastMs = performance.now();
        this.noteSilence(false);
      }
      return false;
    }
  }

  /** Whether it counts as output. */
  #read(bytes: number): boolean {
    // The log has become shorter, which Unstuck never does. Its present content counts as new.
    if (bytes < this.#bytes) this.#bytes = 0;
    const from = Math.max(this.#bytes, bytes - (this.#agent === null ? readMax : agentReadMax));
    const chunk = this.#bytesBetween(from, bytes);
    if (from > this.#bytes) {
      this.tail.skip(from - this.#bytes);
      this.#agent?.skip();
    }
    this.tail.push(chunk);
    const isOutput = this.#agent?.push(chunk) !== false || from > this.#bytes;
    this.#bytes = from + chunk.length;
    return isOutput;
  }

  #bytesBetween(from: number, to: number): Buffer {
    return readOwnFile(this.#path, this.#start + from, this.#start + to);
  }
}
