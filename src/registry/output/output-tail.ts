import fs from 'node:fs';
import type { RunSettings } from '../../config/run-settings.js';
import { LineTail } from '../../diagnose/progress/lines.js';
import { isMissing } from '../../model/facts/reading.js';
import type { AgentFacts } from '../../model/run/agent.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { Progress, RunLog } from '../../model/run/run.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { AgentWatch } from '../../run/health/agent-watch.js';
import { ScreenWatch } from '../../run/health/screen-monitor.js';
import { OutputReader } from '../../run/output/output-reader.js';
import { readOwnFile } from '../../store/open-own-file.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** Of more than this only the end is read: it is in the log for whoever wants it all. */
const readMax = 64 * 1024;
/** What an agent says is worth more of it. */
const agentReadMax = 1024 * 1024;

export interface OutputTailOptions {
  directory: RunDirectory;
  log: RunLog;
  settings: RunSettings;
  /** The command line, where the output is that of a terminal of its own; null: it is not. */
  onTerminal: string | null;
  warn(message: string): void;
}

/** The end of a log that nobody follows, looked at now and then. Nothing stays open in between. */
export class OutputTail {
  readonly #path: string;
  readonly #start: number;
  readonly #tail = new LineTail();
  readonly #reader: OutputReader;
  readonly #settings: RunSettings;
  #bytes = 0;
  #lastWriteMs = 0;
  #lookedMs: number | null = null;
  #lastOutputMs: number | null = null;
  /** Reads along; null: the command is no agent that we know. */
  #agent: AgentWatch | null;
  /** null: the run has no terminal. */
  readonly #screen: ScreenWatch | null;

  constructor({ directory, log, settings, onTerminal, warn }: OutputTailOptions) {
    this.#path = directory.file(log.file);
    this.#start = log.start;
    this.#settings = settings;
    this.#screen = onTerminal === null ? null : new ScreenWatch({ path: this.#path, start: this.#start });
    // Others are found in the tree: what they print says that they are there.
    this.#agent = AgentWatch.of(onTerminal?.split(' ') ?? [], settings);
    this.#reader = new OutputReader(this.#tail, settings, warn);
  }

  /** All there was at the last look. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Wall clock; 0: never. */
  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  /**
   * On the clock of `performance.now()`, which neither jumps nor counts the sleep of the machine; null: never. Only what was
   * written before the first look is dated by the file.
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

  /** One heartbeat further; a reason: the output has stalled. */
  beat(elapsedMs: number): string | null {
    return this.#reader.beat(elapsedMs);
  }

  get agent(): AgentFacts | null {
    return this.#agent?.facts() ?? null;
  }

  /** For how long an agent has waited for its tools; null: it waits for none. */
  get toolsForMs(): number | null {
    return this.#agent?.toolsForMs ?? null;
  }

  /** What its terminal shows, as of the last tick; null: it has none, or nothing that matters. */
  get screen(): ScreenClaim | null {
    return this.#screen?.claim ?? null;
  }

  /** What an agent, a test runner or the screen shows makes it worth a snapshot of its tree. */
  wantsLook(lookedMs: number | null): boolean {
    return (
      this.#agent?.wantsLook(lookedMs) === true ||
      this.#screen?.wantsLook === true ||
      this.#reader.wantsLook(lookedMs)
    );
  }

  /** What an agent or a test runner reports about itself, combined with what its tree shows. */
  refine(
    diagnosis: Diagnosis,
    canAnswer: boolean,
    { tools, pids }: { tools: number | null; pids: () => readonly number[] },
  ): Diagnosis {
    const isLikely = this.#screen?.isPainted === true || AgentWatch.isEvent(this.lastLine);
    if (this.#agent === null && isLikely) this.#meet(AgentWatch.inTree(pids, this.#settings));
    const refined = this.#agent?.refine(diagnosis, canAnswer, tools) ?? this.#reader.refine(diagnosis, pids);
    if (this.#screen === null) return refined;
    this.#screen.look(diagnosis.numbers.stdin, this.#agent);
    return this.#screen.refine(refined, canAnswer);
  }

  /** Reads what is new; whether there was any output, heartbeats not counted. A log that cannot be read says nothing. */
  look(): boolean {
    try {
      const stat = fs.statSync(this.#path);
      const bytes = Math.max(0, stat.size - this.#start);
      const nowMs = performance.now();
      const unseenMs = nowMs - (this.#lookedMs ?? Number.NEGATIVE_INFINITY);
      this.#lookedMs = nowMs;
      if (bytes === this.#bytes) return false;
      // What cannot be read may be anything: it counts.
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
      // It may print all the time: that is no silence.
      if (!isMissing(error)) this.#lastOutputMs = performance.now();
      return false;
    }
  }

  /** Whether it counts as output. */
  #read(bytes: number): boolean {
    // It has become shorter: not our doing. What is there now counts as new.
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
    this.#reader.look(performance.now());
    return isOutput;
  }

  /** What it has said so far is in the log; when it said it is not, so all of it counts as said now. */
  #meet(agent: AgentWatch | null): void {
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
