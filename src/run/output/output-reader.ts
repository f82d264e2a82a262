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
import type { Diagnosis } from '../../model/run/health.js';
import type { Progress } from '../../model/run/run.js';
import { commandLineOf } from '../../probe/processes.js';
import { UserPatterns } from './user-patterns.js';

/** In a large tree, the test runner is one of the first processes. */
const commandsMax = 50;

/** What the output shows about progress, phase and stalls. Loaded only for runs that last. */
export class OutputReader {
  readonly #tail: LineTail;
  readonly #settings: RunSettings;
  readonly #patterns: UserPatterns;
  #progress = startProgress;
  #stall = startStall;
  #suite = startSuite;
  /** Consecutive heartbeats with the same last line. */
  same = 0;
  /** The output is meant for programs. Numbers in a model's text are not progress. */
  isEventStream = false;

  constructor(tail: LineTail, settings: RunSettings, warn: (message: string) => void) {
    this.#tail = tail;
    this.#settings = settings;
    this.#patterns = new UserPatterns(settings, warn);
  }

  /** Reads the output since the last call; `atMs`: when the last of it came. */
  catchUp(atMs: number): void {
    const { lines, missed } = this.#tail.takeFresh();
    if (this.isEventStream && !this.#patterns.hasProgress) return;
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

  /** As long as a proof takes. */
  get #patienceMs(): number {
    const { proofSamples, sampleMs } = this.#settings.thresholds;
    return proofSamples * sampleMs;
  }

  progress(): Progress | null {
    return readProgress(this.#progress, performance.now());
  }

  phase(programs: readonly string[]): string | null {
    const own = this.#patterns.phase(programs, this.#tail.lastLine);
    return own ?? phaseOf(programs, phaseOfProgress(this.#progress));
  }

  /** A test runner has printed its end and still runs, and the last snapshot is from before it became overdue. */
  wantsSnapshot(snapshotMs: number | null): boolean {
    const nowMs = performance.now();
    const overMs = suiteOverdueMs(this.#suite, nowMs, this.#patienceMs);
    return overMs >= 0 && (snapshotMs ?? 0) < nowMs - overMs;
  }

  /** Combines the output of a test runner with what its tree shows. */
  refine(diagnosis: Diagnosis, pids: () => readonly number[]): Diagnosis {
    return refineSuite(diagnosis, {
      suite: this.#suite,
      test: testOfOutput(this.#suite, this.#tail.unfinished.text),
      nowMs: performance.now(),
      patienceMs: this.#patienceMs,
      commands: () =>
        pids()
          .slice(0, commandsMax)
          .flatMap((pid) => commandLineOf(pid) ?? []),
    });
  }

  /** Counts one heartbeat. Returns a reason if the output has stalled. */
  beat(elapsedMs: number): string | null {
    const { armAfterMs, sameLinePulses } = this.#settings;
    const { state, same, stalled } = advanceStall(
      this.#stall,
      {
        atMs: performance.now(),
        lastLine: this.#tail.lastLine,
        progressAdvancedAtMs: advancedAtMs(this.#progress),
        elapsedMs,
        progressText: this.progress()?.text ?? null,
      },
      { armAfterMs, samePulses: sameLinePulses, progressPatienceMs: patienceMs(this.#progress) },
    );
    this.#stall = state;
    this.same = same;
    return stalled;
  }
}
