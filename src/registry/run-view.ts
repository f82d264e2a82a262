import { valueOr } from '../model/facts/reading.js';
import type { AgentFacts } from '../model/run/agent.js';
import type { RunStatus } from '../model/run/background.js';
import { type Estimate, estimateWords } from '../model/run/estimate.js';
import type { Diagnosis, Health, TreeSample } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import { type Exit, type Outcome, stopOf } from '../model/run/run.js';
import type { Finding } from '../model/verdict.js';
import { livenessOf } from '../probe/processes.js';
import type { Run } from '../run/run.js';
import { commandOf, type Ended, isOver } from '../run/state.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { BackgroundPulse } from './monitor/background-pulse.js';
import type { KeptTrouble } from './monitor/kept-trouble.js';
import { KnownTrouble, type Trouble } from './monitor/known-trouble.js';
import type { BackgroundLog } from './output/background-log.js';
import type { Pauses } from './pauses.js';
import {
  endWords,
  pausedWords,
  runsThereWords,
  unreachableWords,
  unreadableWords,
  whyWords,
} from './words.js';

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
  /** Absent: it can be reached. */
  unreachableSince?: string;
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
  protected abstract readonly run: Pick<Run<BackgroundPulse>, 'state' | 'pulse' | 'elapsedMs'> & {
    ending: { outcome: Outcome };
  };
  protected abstract readonly kept: Pick<KeptTrouble, 'earlier' | 'note' | 'forget'>;
  /** It was started under another daemon. */
  protected abstract readonly isAdopted: boolean;
  /** A remark beside its health while it runs, such as that its owner is gone; null: none. */
  remark: string | null = null;
  readonly #trouble = new KnownTrouble();
  /** As last read from its directory while it ran. */
  #lossRead: OutputLost | null = null;

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
    const { end } = this;
    if (end === null) return null;
    const stopped = stopOf(this.run.ending.outcome);
    return stopped === undefined ? end.exit : { ...end.exit, stopped };
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

  /** Of a run that has not ended. Before it is judged again, what an earlier daemon found; null: not judged yet. */
  get #diagnosis(): Diagnosis | null {
    const { monitor } = this.run.pulse;
    return monitor === null ? this.kept.earlier : monitor.diagnosis;
  }

  /** Whether anything is known about its health, by this daemon or by an earlier one. */
  get isJudged(): boolean {
    return this.end !== null || this.#diagnosis !== null;
  }

  /** null: the run has ended. */
  get #health(): Health | null {
    const { end, pauses } = this;
    if (end !== null) return null;
    return pauses.isPaused ? 'healthy' : (this.#diagnosis?.health ?? 'healthy');
  }

  get #why(): string {
    const { id, end, exit, pauses } = this;
    if (end !== null && exit !== null) return endWords(exit, end.outputLost, this.lostReason);
    const unreadable = this.#unreadableWords;
    if (unreadable !== null) return unreadable;
    return pauses.isPaused ? pausedWords(pauses.pausedForMs, id) : this.#runningWords();
  }

  /** The present facts. */
  get state(): RunFacts {
    return this.stateWith(this.outputLost);
  }

  stateWith(outputLost: OutputLost | null): RunFacts {
    const { id, status, end, exit, pauses } = this;
    const agent = this.log.tail.agent?.facts() ?? null;
    const isHeard =
      agent !== null && (agent.events > 0 || agent.waits !== null || agent.screen !== undefined);
    return {
      id,
      status,
      health: this.#health,
      why: this.#why,
      ...(exit !== null && { exit }),
      ...(this.#unreachableMs !== null && { unreachableSince: new Date(this.#unreachableMs).toISOString() }),
      ...(end === null && pauses.isPaused && { paused: true as const }),
      ...(outputLost !== null && { outputLost }),
      ...(isHeard && { agent }),
    };
  }

  /** The place that it runs in; null: this machine. */
  abstract readonly on: string | null;

  /** Why its end is not known; null: it is, or the reason is not known. */
  protected abstract readonly lostReason: string | null;

  /** Since when its place cannot be reached, in ms by the wall clock; null: it can be, or it runs here. */
  protected abstract readonly unreachableSinceMs: number | null;

  get #unreachableMs(): number | null {
    return this.unreadable === null ? null : this.unreachableSinceMs;
  }

  get #unreadableWords(): string | null {
    const sinceMs = this.#unreachableMs;
    if (sinceMs === null) return unreadableWords(this.unreadable);
    return unreachableWords(sinceMs, Date.now(), this.unreadable ?? '');
  }

  #runningWords(): string {
    const { remark, on, isAdopted } = this;
    const diagnosis = this.#diagnosis;
    if (diagnosis === null && on !== null) return runsThereWords(on, this.elapsedMs, remark);
    const isEarlier = diagnosis !== null && diagnosis === this.kept.earlier;
    return whyWords({ diagnosis, isEarlier, isAdopted, elapsedMs: () => this.elapsedMs, remark });
  }

  /** Output that was printed and is not in the log; null: none is known. A file is read for it while the run lives. */
  get outputLost(): OutputLost | null {
    this.readLoss();
    return this.knownLoss;
  }

  /** Reads whether output was lost. */
  readLoss(): void {
    if (this.end === null) this.#lossRead = valueOr(this.directory.outputLost, this.#lossRead);
  }

  /** The same as of the last time that it was read. A log that grows has lost nothing: what writes it ends at a loss. */
  get knownLoss(): OutputLost | null {
    const { end } = this;
    return end === null ? this.#lossRead : end.outputLost;
  }

  /** What was written to its input has reached the command, or its input is closed as requested. */
  protected abstract get isInputDelivered(): boolean;

  /** To be called when the run gets an answer, and again when the command has it. */
  answered(): void {
    this.#trouble.answered(performance.now(), this.isInputDelivered);
    if (this.#trouble.isOutOfDate) this.kept.forget();
  }

  /** To be called whenever the run may have another diagnosis. */
  protected noteDiagnosis(): void {
    const { pulse, state } = this.run;
    if (isOver(state)) return;
    const { vitals = null } = pulse.monitor ?? {};
    const diagnosis = this.#diagnosis;
    const readMs = diagnosis?.verdict == null ? vitals?.sample?.atMs : vitals?.snapshotMs;
    const nowMs = performance.now();
    this.#trouble.note({ diagnosis, readMs: readMs ?? nowMs }, nowMs, () => this.isInputDelivered);
    if (this.#trouble.isOutOfDate) {
      this.kept.forget();
      pulse.snapshotSoon();
    } else if (diagnosis !== null) this.kept.note(diagnosis);
  }

  /**
   * What the run needs from a person or an agent; null: nothing, or it has ended. A trouble from before the last answer
   * is not reported again.
   */
  get trouble(): Trouble | null {
    return isOver(this.run.state) || this.pauses.isPaused ? null : this.#trouble.now;
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

  /** What to do about it, in one sentence; null: nothing, or it has ended. */
  get recommendation(): string | null {
    if (this.end !== null || this.pauses.isPaused) return null;
    return this.#diagnosis?.recommendation || null;
  }

  /** Parts of the tree that are proven to be stuck while the rest may go on. */
  get findings(): readonly Finding[] {
    return this.end === null ? (this.#diagnosis?.findings ?? []) : [];
  }

  /**
   * Another text means that a reader should see the run again. Small changes of its numbers do not count. It is compared
   * at every tick of every run, so no file is read for it.
   */
  get signature(): string {
    const isPaused = this.end === null && this.pauses.isPaused;
    const { cpuPercent = 0, residentBytes = 0 } = this.sample ?? {};
    const numbers = [Math.round(cpuPercent), Math.round(residentBytes / 2 ** 20), this.log.tail.bytes];
    const loss = this.knownLoss?.message ?? '';
    const words = [this.status, this.#health, this.#why, isPaused, this.trouble, this.remark, loss];
    return [...words, ...numbers].join('\n');
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
