import type { RunSettings } from '../../config/run-settings.js';
import type { LineTail } from '../../diagnose/progress/lines.js';
import { phaseOf } from '../../diagnose/progress/phase.js';
import {
  advancedAtMs,
  advanceProgress,
  glanceProgress,
  missLines,
  patienceMs,
  phaseOfProgress,
  readProgress,
  startProgress,
} from '../../diagnose/progress/progress.js';
import { advanceStall, startStall } from '../../diagnose/progress/stall.js';
import { refineSuite, suiteOverdueMs } from '../../diagnose/runners/refine-suite.js';
import { advanceSuite, startSuite, testOfOutput } from '../../diagnose/runners/suite.js';
import type { AgentTree } from '../../model/run/agent.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { Progress } from '../../model/run/run.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { commandLineOf } from '../../probe/processes.js';
import { AgentMonitor } from '../health/agent-monitor.js';
import type { ScreenMonitor } from '../health/screen-monitor.js';
import type { Silence } from './gaps.js';
import { UserPatterns } from './user-patterns.js';

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
  /** The longest time without output, for a run that ended at `endMs` on the clock of `performance.now()`. */
  longestSilence(endMs: number): Silence;
  /** To be called at each tick. false: no silence, because the tree is stopped or paused. */
  noteSilence(isSilence: boolean): void;
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

type Pids = () => readonly number[];

/** In a large tree, the test runner is one of the first processes. */
const commandsMax = 50;

/** What the output shows beside the tree: progress, stalls, events of an agent, the end of a test runner, a screen. */
export class OutputClues {
  readonly #options: OutputCluesOptions;
  readonly #tail: LineTail;
  readonly #patterns: UserPatterns;
  #readBytes = 0;
  #progress = startProgress;
  #stallState = startStall;
  #suite = startSuite;
  #stall: { reason: string; bytes: number } | null = null;
  /** Consecutive heartbeats with the same last line. */
  same = 0;

  constructor(options: OutputCluesOptions) {
    this.#options = options;
    this.#tail = options.output.tail;
    this.#patterns = new UserPatterns(options.settings, options.warn);
  }

  /** Reads the lines that came since the last call. */
  catchUp(): void {
    const { agent, lastMs } = this.#options.output;
    if (this.#tail.bytes === this.#readBytes) return;
    this.#readBytes = this.#tail.bytes;
    const { lines, missed } = this.#tail.takeFresh();
    // The output of an agent is meant for programs. Numbers in a model's text are not progress.
    if (agent?.speaks === true && !this.#patterns.hasProgress) return;
    this.#advance(lines, missed, lastMs ?? performance.now());
  }

  progress(): Progress | null {
    this.catchUp();
    return readProgress(this.#progress, performance.now());
  }

  phase(programs: readonly string[]): string | null {
    this.catchUp();
    const own = this.#patterns.phase(programs, this.#tail.lastLine);
    return own ?? phaseOf(programs, phaseOfProgress(this.#progress));
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

  /**
   * Whether an agent or the screen shows something that needs a snapshot of the tree, or a test runner has printed its
   * end and still runs. `snapshotMs`: time of the last snapshot; null: none.
   */
  wantsSnapshot(snapshotMs: number | null): boolean {
    const { output, screen } = this.#options;
    if (output.agent?.wantsSnapshot(snapshotMs) === true || screen?.wantsSnapshot === true) return true;
    const nowMs = performance.now();
    const overMs = suiteOverdueMs(this.#suite, nowMs, this.#proofMs);
    return overMs >= 0 && (snapshotMs ?? 0) < nowMs - overMs;
  }

  /** Combines what the output shows with what the tree shows. `tree`: what it shows of an agent. */
  refine(diagnosis: Diagnosis, tree: AgentTree | null, pids: Pids): Diagnosis {
    const { output, screen, canAnswer } = this.#options;
    this.#meetAgent(pids);
    const refined = output.agent?.refine(diagnosis, canAnswer, tree) ?? this.#refineSuite(diagnosis, pids);
    return screen?.refine(refined, canAnswer) ?? refined;
  }

  /** Counts one heartbeat. Returns a reason if the output has stalled. */
  beat(elapsedMs: number): string | null {
    const { armAfterMs, sameLinePulses } = this.#options.settings;
    const progressText = this.progress()?.text ?? null;
    const { state, same, stalled } = advanceStall(
      this.#stallState,
      {
        atMs: performance.now(),
        lastLine: this.#tail.lastLine,
        progressAdvancedAtMs: advancedAtMs(this.#progress),
        elapsedMs,
        progressText,
      },
      { armAfterMs, samePulses: sameLinePulses, progressPatienceMs: patienceMs(this.#progress) },
    );
    this.#stallState = state;
    this.same = same;
    if (stalled !== null) this.#stall = { reason: stalled, bytes: this.#tail.bytes };
    return stalled;
  }

  /** Why the output counts as stalled; null: it does not. A stall lasts until something is printed. */
  get stall(): string | null {
    return this.#stall?.bytes === this.#tail.bytes ? this.#stall.reason : null;
  }

  /** As long as a proof takes. */
  get #proofMs(): number {
    const { proofSamples, sampleMs } = this.#options.settings.thresholds;
    return proofSamples * sampleMs;
  }

  /** `atMs`: when the last of the lines came. */
  #advance(lines: readonly string[], missed: boolean, atMs: number): void {
    if (missed) this.#progress = missLines(this.#progress);
    const { unfinished } = this.#tail;
    this.#suite = lines.reduce((state, line) => advanceSuite(state, line, atMs), this.#suite);
    const read = (custom?: RegExp) => {
      const ended = lines.reduce((state, line) => advanceProgress(state, line, atMs, custom), this.#progress);
      return unfinished.text === '' ? ended : glanceProgress(ended, unfinished, atMs, custom);
    };
    const hadProgress = this.#patterns.hasProgress;
    const done = this.#patterns.withProgress(read);
    // The user's pattern was given up. Its count would appear to stand still, so the count is dropped.
    if (hadProgress && done === null) this.#progress = startProgress;
    this.#progress = done === null ? read() : done.value;
  }

  #refineSuite(diagnosis: Diagnosis, pids: Pids): Diagnosis {
    return refineSuite(diagnosis, {
      suite: this.#suite,
      test: testOfOutput(this.#suite, this.#tail.unfinished.text),
      nowMs: performance.now(),
      patienceMs: this.#proofMs,
      commands: () =>
        pids()
          .slice(0, commandsMax)
          .flatMap((pid) => commandLineOf(pid) ?? []),
    });
  }

  /** A script may start an agent long after its own start. */
  #meetAgent(pids: Pids): void {
    const { output, screen, settings } = this.#options;
    if (output.agent !== null) return;
    if (screen?.isPainted !== true && !AgentMonitor.isEvent(this.#tail.lastLine)) return;
    const agent = AgentMonitor.inTree(pids, settings);
    if (agent !== null) output.meet(agent);
  }
}
