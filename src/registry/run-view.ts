import { valueOr } from '../model/facts/reading.js';
import type { AgentFacts } from '../model/run/agent.js';
import type { RunStatus } from '../model/run/background.js';
import { type Estimate, estimateWords } from '../model/run/estimate.js';
import type { Diagnosis, Health, TreeSample } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Exit, Outcome } from '../model/run/run.js';
import { livenessOf } from '../probe/processes.js';
import type { Run } from '../run/run.js';
import { commandOf, type Ended, isOver } from '../run/state.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { CrowdPulse } from './monitor/crowd-pulse.js';
import type { BackgroundLog } from './output/background-log.js';
import type { Pauses } from './pauses.js';
import { endWords, pausedWords, unreadableWords, whyWords } from './words.js';

/** The present facts about a run. */
export interface RunFacts {
  id: string;
  status: RunStatus;
  /** null: the run has ended. */
  health: Health | null;
  /** A short sentence. */
  why: string;
  exit?: Exit;
  /** Absent: it is not paused. */
  paused?: true;
  /** Absent: no lost output is known. */
  outputLost?: OutputLost;
  /** What an agent reports about itself. */
  agent?: AgentFacts;
}

/** What is known about a run in the background, live or ended. */
export abstract class RunView {
  abstract readonly id: string;
  /** By the wall clock. */
  abstract readonly startedMs: number;
  abstract readonly directory: RunDirectory;
  abstract readonly log: BackgroundLog;
  abstract readonly pauses: Pick<Pauses, 'isPaused' | 'pausedForMs'>;
  protected abstract readonly run: Pick<Run<CrowdPulse>, 'state' | 'pulse' | 'elapsedMs'> & {
    ending: { outcome: Outcome };
  };
  /** A remark beside its health while it runs, such as that its owner is gone; null: none. */
  remark: string | null = null;
  #answeredMs = 0;
  #diagnosed: { diagnosis: Diagnosis | null; atMs: number } = { diagnosis: null, atMs: 0 };

  /** null: the run has not ended. */
  protected get end(): Ended | null {
    const { state } = this.run;
    return state.kind === 'ended' ? state : null;
  }

  get status(): RunStatus {
    const { end } = this;
    if (end === null) return 'running';
    return end.exit.provenance === 'unknown' ? 'lost' : 'exited';
  }

  /** null: the run has not ended. */
  get exit(): Exit | null {
    return this.end?.exit ?? null;
  }

  /** null: the run was never seen running. */
  get pid(): number | null {
    return commandOf(this.run.state).leader?.pid ?? null;
  }

  /** When the run ended, by the wall clock; 0: it has not ended. */
  get endedMs(): number {
    return this.end?.atMs ?? 0;
  }

  get elapsedMs(): number {
    const { end } = this;
    return end === null ? this.run.elapsedMs : Math.max(0, end.atMs - this.startedMs);
  }

  /** The present facts. */
  get state(): RunFacts {
    const { id, status, end, elapsedMs, remark, outputLost, unreadable, pauses } = this;
    const isPaused = end === null && pauses.isPaused;
    const diagnosis = this.run.pulse.monitor?.diagnosis ?? null;
    const agent = this.log.tail.agent?.facts() ?? null;
    const isHeard =
      agent !== null && (agent.events > 0 || agent.waits !== null || agent.screen !== undefined);
    return {
      id,
      status,
      health: end === null ? (isPaused ? 'healthy' : (diagnosis?.health ?? 'healthy')) : null,
      why:
        end === null
          ? (unreadableWords(unreadable) ??
            (isPaused ? pausedWords(pauses.pausedForMs, id) : whyWords(diagnosis, elapsedMs, remark)))
          : endWords(end.exit, this.run.ending.outcome, end.outputLost),
      ...(end !== null && { exit: end.exit }),
      ...(isPaused && { paused: true as const }),
      ...(outputLost !== null && { outputLost }),
      ...(isHeard && { agent }),
    };
  }

  /** Output that was printed and is not in the log; null: none is known. */
  get outputLost(): OutputLost | null {
    const { end } = this;
    return end === null ? valueOr(this.directory.outputLost, null) : end.outputLost;
  }

  /** The run got an answer, so its known health is out of date. */
  answered(): void {
    this.#answeredMs = performance.now();
  }

  /** To be called whenever the run may have another diagnosis. */
  protected noteDiagnosis(): void {
    const diagnosis = this.run.pulse.monitor?.diagnosis ?? null;
    if (diagnosis !== this.#diagnosed.diagnosis) this.#diagnosed = { diagnosis, atMs: performance.now() };
  }

  /**
   * What the run needs from a person or an agent; null: nothing, or it has ended. A trouble from before the last answer
   * is not reported again.
   */
  get trouble(): 'needs-input' | 'stuck' | null {
    const { diagnosis, atMs } = this.#diagnosed;
    if (isOver(this.run.state) || this.pauses.isPaused || diagnosis === null || atMs <= this.#answeredMs)
      return null;
    const { needsAnswer, verdict, health } = diagnosis;
    const isStuck = health === 'likely-stuck' || health === 'confirmed-stuck';
    if (needsAnswer || (isStuck && verdict?.kind === 'needs-input')) return 'needs-input';
    return isStuck ? 'stuck' : null;
  }

  /** How far it has come; null: not known, or it has ended. */
  get estimate(): (Estimate & { text: string }) | null {
    const found = this.end === null ? (this.run.pulse.monitor?.estimate ?? null) : null;
    return found === null ? null : { ...found, text: estimateWords(found) };
  }

  /** Why its output counts as stalled; null: it does not, or stalls are not requested. */
  get stall(): string | null {
    return this.log.clues.stall;
  }

  /** Why the state of the run cannot be read and is not reported; null: it can be read, or the run has ended. */
  get unreadable(): string | null {
    const { state } = this.run;
    return state.kind === 'unknown' ? state.reason : null;
  }

  /** As of the last tick; null: the run has ended, or has not been sampled yet. */
  get sample(): TreeSample | null {
    return this.end === null ? (this.run.pulse.monitor?.vitals?.sample ?? null) : null;
  }

  /** The command has ended, but another process holds its output open and may print more. */
  get isOutputHeld(): boolean {
    const shim = this.end?.shim ?? null;
    return shim !== null && livenessOf(shim) !== 'ended';
  }

  /** Bytes of output on the disk. */
  get keptBytes(): number {
    return this.log.keptBytes;
  }

  /** How long the run has printed nothing. */
  silentMs(): number {
    return this.log.silentMs() ?? this.elapsedMs;
  }
}
