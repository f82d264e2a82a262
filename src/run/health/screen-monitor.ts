import fs from 'node:fs';
import { findQuestion } from '../../diagnose/screen/find-question.js';
import { isBusy, refineByScreen, settledMs } from '../../diagnose/screen/refine-by-screen.js';
import { advanceMotion, isLively, type ScreenMotion } from '../../diagnose/screen/screen-motion.js';
import type { ScreenView } from '../../diagnose/screen/screen-view.js';
import { TerminalScreen, viewOf } from '../../diagnose/screen/terminal-screen.js';
import { terminalSize } from '../../model/run/background.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { ScreenClaim, ScreenReading } from '../../model/run/screen-claim.js';
import type { Verdict } from '../../model/verdict.js';
import { readOwnFile } from '../../store/files.js';
import { type TerminalSize, terminalSizeOf } from '../launch/pseudo-terminal.js';
import type { AgentMonitor } from './agent-monitor.js';

/** If more output than this comes between two ticks, only its end is rendered. */
const behindBytesMax = 512 * 1024;
/** How long a snapshot of the tree holds for a screen that has not changed since. */
const verdictMsMax = 30_000;
const snapshotMsMin = 10_000;

/** A cursor move over rows, a cleared screen or an alternate screen. Without any of them the output is a log. */
const painting = /\x1b\[(?:\?(?:1049|1047|47|25)|\d*[ABEFJ]|\d*(?:;\d*)?[Hf])/;

export interface ScreenMonitorOptions {
  /** The log of the run, and where in it the output begins. */
  path: string;
  start: number;
}

/** What the terminal of a run shows, rendered from its log at each tick. Output that is a plain log is not rendered. */
export class ScreenMonitor {
  readonly #options: ScreenMonitorOptions;
  #screen: TerminalScreen | null = null;
  /** Bytes of output that are rendered, or that contain no painting. */
  #bytes = 0;
  #motion: ScreenMotion | null = null;
  #reading: ScreenReading | null = null;
  #cpuPercent = 0;
  /** When a snapshot was last judged, whatever it showed. */
  #verdictMs = Number.NEGATIVE_INFINITY;
  #seen: { verdict: Verdict; steady: string; atMs: number } | null = null;

  constructor(options: ScreenMonitorOptions) {
    this.#options = options;
  }

  /** The output is more than a log. */
  get isPainted(): boolean {
    return this.#screen !== null;
  }

  /** What the screen shows; null: nothing that affects the health. */
  get claim(): ScreenClaim | null {
    return this.#reading === null ? null : { ...this.#reading, cpuPercent: this.#cpuPercent };
  }

  /** Renders the new output. `terminal`: the file that is the command's terminal; null: not known. */
  update(terminal: string | null, agent: AgentMonitor | null): void {
    const size = this.#screen === null ? null : terminalSizeOf(terminal);
    if (size !== null && !this.#fits(size)) this.#restart();
    try {
      this.#catchUp(terminal);
    } catch {
      // A log that cannot be read shows nothing.
      this.#restart();
    }
    const nowMs = performance.now();
    const view = this.#view();
    if (view === null) {
      this.#reading = null;
      return;
    }
    this.#motion = advanceMotion(this.#motion, view.lines, nowMs);
    this.#reading = agent?.readScreen(view, nowMs) ?? this.#generalClaim(view, nowMs);
  }

  /** A question on the screen needs a snapshot of the tree. A snapshot of the same screen holds for a while. */
  get wantsSnapshot(): boolean {
    const { claim } = this;
    if (claim === null || (claim.shows !== 'asks' && claim.shows !== 'idle')) return false;
    const isDue = performance.now() - this.#verdictMs >= snapshotMsMin;
    return isDue && claim.forMs >= settledMs && this.#lastVerdict() === null && !isBusy(claim);
  }

  refine(diagnosis: Diagnosis, canAnswer: boolean): Diagnosis {
    this.#cpuPercent = diagnosis.numbers.cpuPercent;
    const verdict = this.#hold(diagnosis.verdict);
    const { claim } = this;
    return claim === null ? diagnosis : refineByScreen({ ...diagnosis, verdict }, claim, canAnswer);
  }

  /** A thread that paints during a snapshot hides what the other threads wait for. The last verdict then holds. */
  #hold(verdict: Verdict | null): Verdict | null {
    const nowMs = performance.now();
    if (verdict !== null) this.#verdictMs = nowMs;
    const isHidden = verdict === null || (verdict.kind === 'working' && verdict.readsTerminal !== true);
    if (isHidden) return this.#lastVerdict() ?? verdict;
    if (this.#motion !== null) this.#seen = { verdict, steady: this.#motion.steady, atMs: nowMs };
    return verdict;
  }

  #lastVerdict(): Verdict | null {
    const seen = this.#seen;
    if (seen === null || seen.steady !== this.#motion?.steady) return null;
    return performance.now() - seen.atMs <= verdictMsMax ? seen.verdict : null;
  }

  #generalClaim(view: ScreenView, nowMs: number): ScreenReading | null {
    const motion = this.#motion as ScreenMotion;
    const forMs = nowMs - motion.sinceMs;
    const question = findQuestion(view);
    if (question !== null) return { shows: 'asks', name: null, text: question.text, forMs };
    return isLively(motion, nowMs) ? { shows: 'lively', name: null, text: '', forMs } : null;
  }

  #view(): ScreenView | null {
    if (this.#screen === null) return null;
    return viewOf(this.#screen);
  }

  #catchUp(terminal: string | null): void {
    const { path, start } = this.#options;
    const bytes = Math.max(0, fs.statSync(path).size - start);
    if (bytes < this.#bytes || bytes - this.#bytes > behindBytesMax) {
      this.#restart();
      this.#bytes = Math.max(0, bytes - behindBytesMax);
    }
    if (bytes === this.#bytes) return;
    const chunk = readOwnFile(path, start + this.#bytes, start + bytes);
    this.#bytes += chunk.length;
    if (this.#screen === null && painting.test(chunk.toString('latin1'))) {
      this.#screen = new TerminalScreen(terminalSizeOf(terminal) ?? terminalSize);
    }
    this.#screen?.push(chunk);
  }

  #fits({ rows, columns }: TerminalSize): boolean {
    return this.#screen?.rows === rows && this.#screen.columns === columns;
  }

  /** Renders the end of the output again. */
  #restart(): void {
    this.#screen = null;
    this.#bytes = 0;
  }
}
