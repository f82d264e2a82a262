import type { RunSettings } from '../config/run-settings.js';
import { phaseOf } from '../diagnose/progress/phase.js';
import { advanceStall, type StallState, startStall } from '../diagnose/progress/stall.js';
import type { Heartbeat } from '../model/run.js';
import type { RunOutput } from './run-output.js';
import type { Vitals } from './vitals.js';

export interface PulseSubject {
  label: string;
  pid: number;
  elapsedMs: number;
  log: string | null;
  output: RunOutput;
  vitals: Vitals | null;
}

/** B2: what a heartbeat says, and whether the output stalls from one to the next (B5 to B7). */
export class Pulse {
  readonly #settings: RunSettings;
  #stall: StallState = startStall;
  #same = 0;
  phase: string | null = null;

  constructor(settings: RunSettings) {
    this.#settings = settings;
  }

  /** How it is right now; asked as often as wanted. */
  read({ label, pid, elapsedMs, log, output, vitals }: PulseSubject): Heartbeat {
    const { armAfterMs, sameLinePulses, phases } = this.#settings;
    const programs = vitals?.programs() ?? [];
    const names = programs.map(({ name }) => name);
    this.phase = phaseOf(names, output.phase, phases, output.lastLine);
    return {
      label,
      elapsedMs,
      lastOutputMs: output.bytes === 0 ? null : performance.now() - output.lastMs,
      line: output.lastLine,
      pid,
      programs,
      cpuPercent: vitals?.sample?.cpuPercent ?? 0,
      phase: this.phase,
      progress: output.progress(),
      health: vitals?.diagnosis?.health ?? 'healthy',
      armInMs: Math.max(0, armAfterMs - elapsedMs),
      same: this.#same,
      samePulses: sameLinePulses,
      log,
    };
  }

  /** One heartbeat further; a reason: the output has stalled. */
  beat(output: RunOutput, elapsedMs: number): string | null {
    const { armAfterMs, sameLinePulses } = this.#settings;
    const { state, same, stalled } = advanceStall(
      this.#stall,
      {
        atMs: performance.now(),
        lastLine: output.lastLine,
        progressAdvancedAtMs: output.progressAdvancedMs,
        elapsedMs,
        progressText: output.progress()?.text ?? null,
      },
      { armAfterMs, samePulses: sameLinePulses, progressPatienceMs: output.progressPatienceMs },
    );
    this.#stall = state;
    this.#same = same;
    return stalled;
  }
}
