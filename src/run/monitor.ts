import { stillStands } from '../diagnose/health/earlier.js';
import { isStoppedLeader } from '../diagnose/health/proof.js';
import { estimateOf, type Promised } from '../diagnose/history/estimate.js';
import { usualOf } from '../diagnose/history/usual.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Estimate } from '../model/run/estimate.js';
import type { Diagnosis } from '../model/run/health.js';
import type { Usual } from '../model/run/norms.js';
import { isWorsening, reasonToStop, reportHealth } from './health/report-health.js';
import type { TreeSource } from './health/tree-sampler.js';
import { Vitals, type VitalsOptions } from './health/vitals.js';
import type { OutputClues } from './output/clues.js';
import type { Run } from './run.js';

export interface MonitorOptions {
  run: Run;
  clues: OutputClues;
  /** Reads the tree at each tick; null: nothing can be read about the command except its output. */
  tree: ({ leader: ProcessIdentity; source: TreeSource } & Pick<VitalsOptions, 'admit'>) | null;
  /** A heartbeat is counted at ticks this far apart; null: the caller counts them. */
  beatMs: number | null;
  /** The trouble that an earlier daemon found; absent, null: none. It stands until the run is judged again. */
  earlier?: Diagnosis | null;
}

/** Language runtimes are queried for at most this many runs at a time. The others are reported without. */
const explainingMax = 2;
/** Of a run that goes back and forth between phases, only the first changes are kept. */
const phasesMax = 8;
const promisedMax = 64;
let explaining = 0;

/** What happens at each tick of a run: sample, snapshot, judgement, report, and the stop of a hang. */
export class Monitor {
  readonly vitals: Vitals | null;
  readonly clues: OutputClues;
  /** As last reported; null: none yet. */
  diagnosis: Diagnosis | null;
  /** Phases that heartbeats named, in their order. */
  readonly phases: string[] = [];
  /** What progress promised at ticks. */
  promised: Promised[] = [];
  #phase: string | null = null;
  #usual: { found: Usual | null } | null = null;
  readonly #options: MonitorOptions;
  /** Resolves when the last tick has been explained and reported; null: it has been. */
  #explaining: Promise<void> | null = null;
  /** A worse health is reported with an explanation. The next tick takes a snapshot for it. */
  isUnexplained = false;
  #beatMs = performance.now();

  constructor(options: MonitorOptions) {
    this.#options = options;
    const { run, clues, tree, earlier = null } = options;
    this.clues = clues;
    this.diagnosis = earlier;
    const { settings, output, canAnswer } = run.parts;
    this.vitals =
      tree === null
        ? null
        : new Vitals({
            ...tree,
            thresholds: settings.thresholds,
            canAnswer,
            norms: () => ({ expected: settings.expected, usual: this.#usualNow() }),
            readsStacks: settings.stacks !== 'none' && !this.#isElsewhere,
            startedMs: performance.now() - run.elapsedMs,
            silentMs: this.#silentMs(),
            refine: (diagnosis, agent) => clues.refine(diagnosis, agent, () => this.#pidsHere()),
            agentTimes: () => (this.#isElsewhere ? null : (output.agent?.times ?? null)),
          });
  }

  /** Its processes are of another place: pids of this machine mean others. */
  get #isElsewhere(): boolean {
    return this.#options.tree?.source.elsewhere !== undefined;
  }

  /** Before this program saw it. A pause is not a silence. */
  #silentMs(): number {
    const { output, pauses } = this.#options.run.parts;
    const lastMs = output.lastNow();
    return lastMs === null ? 0 : performance.now() - lastMs - (pauses?.totalMs ?? 0);
  }

  #pidsHere(): number[] {
    return this.#isElsewhere ? [] : (this.vitals?.pids ?? []);
  }

  /** The phase in the last heartbeat. */
  get phase(): string | null {
    return this.#phase;
  }

  set phase(phase: string | null) {
    this.#phase = phase;
    if (phase !== null && phase !== this.phases.at(-1) && this.phases.length < phasesMax)
      this.phases.push(phase);
  }

  /** What earlier runs of the command were like; null: not known. Read when it is first needed. */
  get usual(): Usual | null {
    const { history, settings } = this.#options.run.parts;
    this.#usual ??= { found: usualOf(history.runs(), settings.thresholds) };
    return this.#usual.found;
  }

  /** How far the run has come; null: not known. */
  get estimate(): Estimate | null {
    const { run } = this.#options;
    return estimateOf(run.elapsedMs, this.usual, this.clues.progress());
  }

  /** Resolves when nothing is being explained. */
  get settled(): Promise<void> {
    return this.#explaining ?? Promise.resolve();
  }

  /** One tick. `asked`: a caller waits for a snapshot. null: the tree was not sampled. */
  async tick(asked = false): Promise<Diagnosis | null> {
    const { run, clues } = this.#options;
    const { vitals } = this;
    if (vitals === null || this.#explaining !== null) return null;
    if (run.parts.pauses?.isPaused) run.parts.output.noteSilence(false);
    if (run.isQuiet()) return this.#rest();
    const draining = run.parts.output.drain?.();
    if (draining !== undefined) await draining;
    clues.catchUp();
    clues.render(() => vitals.peek().stdin);
    const isSecond = this.isUnexplained;
    this.isUnexplained = false;
    const isWanted = asked || isSecond || clues.wantsSnapshot(vitals.snapshotMs);
    this.#notePromise();
    const diagnosis = await vitals.tick(() => this.#hasPrinted(), isWanted);
    run.parts.output.noteSilence(vitals.sample === null || !isStoppedLeader(vitals.sample));
    if (run.isQuiet() || isGone(vitals)) return this.#rest();
    if (this.#earlierStands(diagnosis)) this.#beatWhenDue();
    else if (!isWorsening(this.#judged, diagnosis)) this.#report(diagnosis);
    else if (diagnosis.verdict === null && !isSecond) this.isUnexplained = true;
    else
      this.#explaining = this.#explain(diagnosis, vitals).finally(() => {
        this.#explaining = null;
      });
    return diagnosis;
  }

  /** As last judged here: what an earlier daemon found is explained again. */
  get #judged(): Diagnosis | null {
    return this.diagnosis === this.#options.earlier ? null : this.diagnosis;
  }

  #earlierStands(now: Diagnosis): boolean {
    const { earlier = null, tree, run } = this.#options;
    if (earlier === null || this.diagnosis !== earlier) return false;
    const lives = (pid: number) => tree?.source.pids.includes(pid) === true;
    return stillStands(earlier, now, { lives, thresholds: run.parts.settings.thresholds });
  }

  /** Counts one heartbeat, which `report` reports. A stall is reported after it, and ends the run if requested. */
  beat(report: () => void = () => {}): void {
    const { run, clues } = this.#options;
    this.#beatMs = performance.now();
    const stalled = clues.beat(run.elapsedMs);
    report();
    if (stalled === null) return;
    run.parts.journal.report({ kind: 'stalled', reason: stalled });
    if (run.parts.settings.killOnStall) run.stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  close(): void {
    this.clues.catchUp();
    this.vitals?.close();
  }

  /** What progress promises is compared with the end of the run. Of a long run, every second promise is dropped again. */
  #notePromise(): void {
    const etaMs = this.clues.progress()?.etaMs ?? null;
    if (etaMs === null) return;
    this.promised.push({ elapsedMs: this.#options.run.elapsedMs, etaMs });
    if (this.promised.length > promisedMax) this.promised = this.promised.filter((_, at) => at % 2 === 0);
  }

  /** An agent that waits for its model has a patience of its own. */
  #usualNow(): Usual | null {
    return this.#options.run.parts.output.agent?.facts().waits == null ? this.usual : null;
  }

  #hasPrinted(): boolean {
    const { run, clues, tree } = this.#options;
    const printed = run.parts.output.hasPrinted(tree?.source.ran !== false);
    clues.catchUp();
    return printed;
  }

  /** What is left after the end, or runs while the tree is stopped, does not count as health. */
  #rest(): null {
    const { run } = this.#options;
    this.isUnexplained = false;
    run.check();
    run.changed();
    return null;
  }

  /** Before a hang is reported, the language runtimes are queried for the code that it is in. */
  async #explain(diagnosis: Diagnosis, vitals: Vitals): Promise<void> {
    const { run } = this.#options;
    const { stacks } = run.parts.settings;
    let explained = diagnosis;
    if (stacks !== 'none' && !this.#isElsewhere && explaining < explainingMax) {
      explaining += 1;
      try {
        explained = await vitals.explain(diagnosis, stacks);
        // Output that a program prints because it was queried (as Node does) does not count as its own.
        await run.parts.output.drain?.();
        this.#hasPrinted();
      } finally {
        explaining -= 1;
      }
    }
    if (!run.isQuiet()) this.#report(explained);
  }

  #report(diagnosis: Diagnosis): void {
    const { run } = this.#options;
    const { settings, journal } = run.parts;
    const before = this.diagnosis;
    this.diagnosis = diagnosis;
    reportHealth(journal, before, diagnosis);
    if (settings.killStuck === 'part') run.ending.parts.stop(diagnosis.findings);
    const reason = reasonToStop(diagnosis, settings);
    if (reason !== null) run.stop('stuck', reason);
    this.#beatWhenDue();
  }

  #beatWhenDue(): void {
    const { run, beatMs } = this.#options;
    if (beatMs !== null && performance.now() - this.#beatMs >= beatMs) this.beat();
    run.changed();
  }
}

function isGone({ sample }: Vitals): boolean {
  const { leaderState = null } = sample ?? {};
  return leaderState === null || leaderState === 'Z';
}
