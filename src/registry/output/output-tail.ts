import fs from 'node:fs';
import type { RunSettings } from '../../config/run-settings.js';
import { LineTail } from '../../diagnose/progress/lines.js';
import { isMissing } from '../../model/facts/reading.js';
import type { AgentFacts } from '../../model/run/agent.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { Progress, RunLog } from '../../model/run/run.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { AgentMonitor } from '../../run/health/agent-monitor.js';
import { ScreenMonitor } from '../../run/health/screen-monitor.js';
import { OutputReader } from '../../run/output/output-reader.js';
import { readOwnFile } from '../../store/open-own-file.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** Of more new output than this only the end is read. The log has all of it. */
const readMax = 64 * 1024;
/** More is read of an agent's output, because its events are needed. */
const agentReadMax = 1024 * 1024;

export interface OutputTailOptions {
  directory: RunDirectory;
  log: RunLog;
  settings: RunSettings;
  /** The command line, if the output is that of a terminal of its own; null: it is not. */
  onTerminal: string | null;
  warn(message: string): void;
}

/** The end of a log that is polled now and then. No file stays open in between. */
export class OutputTail {
  readonly #path: string;
  readonly #start: number;
  readonly #tail = new LineTail();
  readonly #reader: OutputReader;
  readonly #settings: RunSettings;
  #bytes = 0;
  #lastWriteMs = 0;
  #snapshotMs: number | null = null;
  #lastOutputMs: number | null = null;
  /** Reads the output too; null: the command is not a known agent. */
  #agent: AgentMonitor | null;
  /** null: the run has no terminal. */
  readonly #screen: ScreenMonitor | null;

  constructor({ directory, log, settings, onTerminal, warn }: OutputTailOptions) {
    this.#path = directory.file(log.file);
    this.#start = log.start;
    this.#settings = settings;
    this.#screen = onTerminal === null ? null : new ScreenMonitor({ path: this.#path, start: this.#start });
    // Other agents are found in the tree, once their output shows that they are there.
    this.#agent = AgentMonitor.of(onTerminal?.split(' ') ?? [], settings);
    this.#reader = new OutputReader(this.#tail, settings, warn);
  }

  /** Bytes of output at the last poll. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Wall clock; 0: never. */
  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  /**
   * On the clock of `performance.now()`, which neither jumps nor counts the sleep of the machine; null: never. Only
   * output from before the first poll is dated by the file.
   */
  get lastOutputMs(): number | null {
    return this.#lastOutputMs;
  }

  get lastLine(): string {
    return this.#tail.lastLine;
  }

  get lastLines(): string[] {
    return this.#tail.lastLines;
  }

  get progress(): Progress | null {
    return this.#reader.progress();
  }

  phase(programs: readonly string[]): string | null {
    return this.#reader.phase(programs);
  }

  /** Counts one heartbeat. Returns a reason if the output has stalled. */
  beat(elapsedMs: number): string | null {
    return this.#reader.beat(elapsedMs);
  }

  get agent(): AgentFacts | null {
    return this.#agent?.facts() ?? null;
  }

  /** How long an agent has waited for its tools; null: it waits for none. */
  get toolsForMs(): number | null {
    return this.#agent?.toolsForMs ?? null;
  }

  /** What its terminal shows, as of the last tick; null: no terminal, or nothing that affects the health. */
  get screen(): ScreenClaim | null {
    return this.#screen?.claim ?? null;
  }

  /** Whether an agent, a test runner or the screen shows something that needs a snapshot of the tree. */
  wantsSnapshot(snapshotMs: number | null): boolean {
    return (
      this.#agent?.wantsSnapshot(snapshotMs) === true ||
      this.#screen?.wantsSnapshot === true ||
      this.#reader.wantsSnapshot(snapshotMs)
    );
  }

  /** What an agent or a test runner reports about itself, combined with what its tree shows. */
  refine(
    diagnosis: Diagnosis,
    canAnswer: boolean,
    { tools, pids }: { tools: number | null; pids: () => readonly number[] },
  ): Diagnosis {
    const isLikely = this.#screen?.isPainted === true || AgentMonitor.isEvent(this.lastLine);
    if (this.#agent === null && isLikely) this.#meet(AgentMonitor.inTree(pids, this.#settings));
    const refined = this.#agent?.refine(diagnosis, canAnswer, tools) ?? this.#reader.refine(diagnosis, pids);
    if (this.#screen === null) return refined;
    this.#screen.update(diagnosis.numbers.stdin, this.#agent);
    return this.#screen.refine(refined, canAnswer);
  }

  /** Reads new output. Returns whether there was any, heartbeats not counted. An unreadable log counts as no output. */
  catchUp(): boolean {
    try {
      const stat = fs.statSync(this.#path);
      const bytes = Math.max(0, stat.size - this.#start);
      const nowMs = performance.now();
      const unseenMs = nowMs - (this.#snapshotMs ?? Number.NEGATIVE_INFINITY);
      this.#snapshotMs = nowMs;
      if (bytes === this.#bytes) return false;
      // Output that cannot be read counts.
      let isOutput = true;
      try {
        isOutput = this.#read(bytes);
      } finally {
        if (isOutput) {
          this.#lastWriteMs = stat.mtimeMs;
          this.#lastOutputMs = nowMs - Math.min(Math.max(0, Date.now() - stat.mtimeMs), unseenMs);
        }
      }
      return isOutput;
    } catch (error) {
      // The run may be printing, so this does not count as silence.
      if (!isMissing(error)) this.#lastOutputMs = performance.now();
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
      this.#tail.skip(from - this.#bytes);
      this.#agent?.skip();
    }
    this.#tail.push(chunk);
    const isOutput = this.#agent?.push(chunk) !== false || from > this.#bytes;
    this.#bytes = from + chunk.length;
    this.#reader.isEventStream = this.#agent?.speaks === true;
    this.#reader.catchUp(performance.now());
    return isOutput;
  }

  /** The agent's earlier output is in the log, but without times, so all of it counts as printed now. */
  #meet(agent: AgentMonitor | null): void {
    if (agent === null) return;
    const from = Math.max(0, this.#bytes - agentReadMax);
    if (from > 0) agent.skip();
    try {
      agent.push(this.#bytesBetween(from, this.#bytes));
    } catch {
      agent.skip();
    }
    this.#agent = agent;
  }

  #bytesBetween(from: number, to: number): Buffer {
    return readOwnFile(this.#path, this.#start + from, this.#start + to);
  }
}
