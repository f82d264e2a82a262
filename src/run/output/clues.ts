import type { RunSettings } from '../../config/run-settings.js';
import type { LineTail } from '../../diagnose/progress/lines.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { Progress } from '../../model/run/run.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { AgentMonitor } from '../health/agent-monitor.js';
import type { ScreenMonitor } from '../health/screen-monitor.js';
import { OutputReader } from './output-reader.js';

/** The output of a run as its monitor sees it: followed and passed on, or polled in the log. */
export interface WatchedOutput {
  /** The end of the output. */
  readonly tail: LineTail;
  /** Bytes of output so far. */
  readonly bytes: number;
  /** When output last came, on the clock of `performance.now()`; null: never. Heartbeats of an agent do not count. */
  readonly lastMs: number | null;
  /** Reads the output too; null: the command is not a known agent. */
  readonly agent: AgentMonitor | null;
  /** An agent was found in the tree. */
  meet(agent: AgentMonitor): void;
  /** Takes in what was printed. A log that is polled does this in `hasPrinted`. */
  drain?(): Promise<void>;
  /** Reads what was printed. When output last came; null: never. */
  lastNow(): number | null;
  /** The command has ended. What is in its pipe is the last of its output. */
  expectLast?(): void;
  /** Whether there was output since the last call. `ran`: whether any process of the tree ran since. */
  hasPrinted(ran: boolean): boolean;
}

export interface OutputCluesOptions {
  output: WatchedOutput;
  settings: RunSettings;
  canAnswer: boolean;
  /** null: the command has no terminal made by Unstuck, or no log. */
  screen: ScreenMonitor | null;
  warn(message: string): void;
}

/** What the output shows beside the tree: progress, stalls, events of an agent, the end of a test runner, a screen. */
export class OutputClues {
  readonly #options: OutputCluesOptions;
  readonly #reader: OutputReader;
  #readBytes = 0;
  #stall: { reason: string; bytes: number } | null = null;

  constructor(options: OutputCluesOptions) {
    this.#options = options;
    this.#reader = new OutputReader(options.output.tail, options.settings, options.warn);
  }

  /** Reads the lines that came since the last call. */
  catchUp(): void {
    const { tail, agent, lastMs } = this.#options.output;
    this.#reader.isEventStream = agent?.speaks === true;
    if (tail.bytes === this.#readBytes) return;
    this.#readBytes = tail.bytes;
    this.#reader.catchUp(lastMs ?? performance.now());
  }

  progress(): Progress | null {
    this.catchUp();
    return this.#reader.progress();
  }

  phase(programs: readonly string[]): string | null {
    this.catchUp();
    return this.#reader.phase(programs);
  }

  /** Consecutive heartbeats with the same last line. */
  get same(): number {
    return this.#reader.same;
  }

  /** What its terminal shows, as of the last tick; null: no terminal, or nothing that affects the health. */
  get screen(): ScreenClaim | null {
    return this.#options.screen?.claim ?? null;
  }

  /** Renders the screen. `terminal`: the file that is the command's terminal. */
  render(terminal: () => string | null): void {
    const { screen, output } = this.#options;
    screen?.update(terminal(), output.agent);
  }

  /** Whether an agent, a test runner or the screen shows something that needs a snapshot of the tree. */
  wantsSnapshot(snapshotMs: number | null): boolean {
    const { output, screen } = this.#options;
    return (
      output.agent?.wantsSnapshot(snapshotMs) === true ||
      screen?.wantsSnapshot === true ||
      this.#reader.wantsSnapshot(snapshotMs)
    );
  }

  /** Combines what the output shows with what the tree shows. `tools`: number of tools of an agent in the tree. */
  refine(diagnosis: Diagnosis, tools: number | null, pids: () => readonly number[]): Diagnosis {
    const { output, screen, canAnswer } = this.#options;
    this.#meetAgent(pids);
    const refined = output.agent?.refine(diagnosis, canAnswer, tools) ?? this.#reader.refine(diagnosis, pids);
    return screen?.refine(refined, canAnswer) ?? refined;
  }

  /** Counts one heartbeat. Returns a reason if the output has stalled. */
  beat(elapsedMs: number): string | null {
    this.catchUp();
    const reason = this.#reader.beat(elapsedMs);
    if (reason !== null) this.#stall = { reason, bytes: this.#options.output.tail.bytes };
    return reason;
  }

  /** Why the output counts as stalled; null: it does not. A stall lasts until something is printed. */
  get stall(): string | null {
    return this.#stall?.bytes === this.#options.output.tail.bytes ? this.#stall.reason : null;
  }

  /** A script may start an agent long after its own start. */
  #meetAgent(pids: () => readonly number[]): void {
    const { output, screen, settings } = this.#options;
    if (output.agent !== null) return;
    if (screen?.isPainted !== true && !AgentMonitor.isEvent(output.tail.lastLine)) return;
    const agent = AgentMonitor.inTree(pids, settings);
    if (agent !== null) output.meet(agent);
  }
}
