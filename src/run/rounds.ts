import type { Diagnosis } from '../model/run/health.js';
import type { Heartbeat } from '../model/run/run.js';
import { AgentMonitor } from './health/agent-monitor.js';
import { isWorsening, reasonToStop, reportHealth, stuckPartsOf } from './health/report-health.js';
import type { ScreenMonitor } from './health/screen-monitor.js';
import type { Tree } from './health/tree.js';
import type { Vitals } from './health/vitals.js';
import type { OpenRun } from './open-run.js';
import type { OutputReader } from './output/output-reader.js';
import type { RunOutput } from './output/run-output.js';
import type { RunRequest } from './request.js';
import type { Ending } from './stop/ending.js';

export interface RoundsOptions {
  run: OpenRun;
  request: RunRequest;
  output: RunOutput;
  ending: Ending;
  /** Resolves when the command is known; null: it never became known. */
  tree: Promise<Tree | null>;
}

interface Loaded {
  vitals: Vitals;
  reader: OutputReader;
  /** null: the command has no terminal made by Unstuck, or no log. */
  screen: ScreenMonitor | null;
}

const loadAfterMs = 1000;

/** The periodic work while the command runs: ticks, heartbeats, and what follows from them. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #loading: Promise<Loaded | null> | null = null;
  #ticking: Promise<void> | null = null;
  #outputMsAtTick: number;
  #reported: Diagnosis | null = null;
  #pid = 0;
  #over = false;
  #isBlind = false;
  /** Both are set once the run has lasted a little. */
  vitals: Vitals | null = null;
  reader: OutputReader | null = null;
  phase: string | null = null;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#outputMsAtTick = options.output.lastMs;
    const { settings } = options.request;
    void options.tree.then((tree) => {
      this.#isBlind = tree === null;
    });
    // Short commands never get here: the modules for ticks are loaded later, when nothing waits for them.
    this.#timers.push(setTimeout(() => void this.#load(), loadAfterMs));
    this.#every(settings.thresholds.sampleMs, () => this.#tick());
    this.#every(settings.heartbeatMs, () => this.#beat());
  }

  /** The current state as a heartbeat. */
  read(): Heartbeat {
    const { run, request, output } = this.#options;
    const { armAfterMs, sameLinePulses } = request.settings;
    const { elapsedMs } = run.journal;
    this.reader?.catchUp(output.lastMs);
    const programs = this.vitals?.programs() ?? [];
    this.phase = this.reader?.phase(programs.map(({ name }) => name)) ?? null;
    return {
      label: run.label,
      elapsedMs,
      lastOutputMs: output.bytes === 0 ? null : performance.now() - output.lastMs,
      line: output.tail.lastLine,
      lineStream: output.lineStream,
      pid: this.#pid,
      programs,
      cpuPercent: this.vitals?.sample?.cpuPercent ?? 0,
      phase: this.phase,
      progress: this.reader?.progress() ?? null,
      health: this.#isBlind ? 'unknown' : (this.vitals?.diagnosis?.health ?? 'healthy'),
      ...stuckPartsOf(this.vitals?.diagnosis ?? null),
      armInMs: Math.max(0, armAfterMs - elapsedMs),
      same: this.reader?.same ?? 0,
      samePulses: sameLinePulses,
      log: run.log,
      ...(output.agent !== null && { agent: output.agent.facts() }),
    };
  }

  /** Nothing is reported after this. */
  async stop(): Promise<void> {
    this.#over = true;
    this.reader?.catchUp(this.#options.output.lastMs);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ticking;
    this.vitals?.close();
  }

  #every(ms: number, act: () => Promise<void>): void {
    if (ms > 0) this.#timers.push(setInterval(() => void act(), ms));
  }

  /** Ticks never overlap. While a slow tick goes on, the next is skipped. */
  #tick(): Promise<void> {
    this.#ticking ??= this.#tickOnce().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #tickOnce(): Promise<void> {
    const { output } = this.#options;
    if (this.#isQuiet()) return;
    await output.drain();
    const loaded = await this.#load();
    if (loaded === null) return;
    loaded.reader.catchUp(output.lastMs);
    const { lastMs } = output;
    const printed = lastMs !== this.#outputMsAtTick || output.isHeldBack;
    this.#outputMsAtTick = lastMs;
    const { screen } = loaded;
    screen?.update(loaded.vitals.peek().stdin, output.agent);
    const { snapshotMs } = loaded.vitals;
    const asked =
      output.agent?.wantsSnapshot(snapshotMs) === true ||
      screen?.wantsSnapshot === true ||
      loaded.reader.wantsSnapshot(snapshotMs);
    let diagnosis = await loaded.vitals.tick(() => printed, asked);
    // A worse health is reported with an explanation.
    if (diagnosis.verdict === null && isWorsening(this.#reported, diagnosis))
      diagnosis = await loaded.vitals.tick(() => false, true);
    this.#meetAgent(loaded);
    if (!this.#isQuiet()) this.#report(await this.#explained(diagnosis, loaded.vitals));
  }

  /** null: there is no command to monitor. */
  #load(): Promise<Loaded | null> {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  }

  async #loadOnce(): Promise<Loaded | null> {
    const { run, request, output } = this.#options;
    const [tree, { Vitals }, { TreeSampler }, { OutputReader }] = await Promise.all([
      this.#options.tree,
      import('./health/vitals.js'),
      import('./health/tree-sampler.js'),
      import('./output/output-reader.js'),
    ]);
    if (this.#over) return null;
    if (tree === null) return this.#loadBlind();
    this.#pid = tree.leader.pid;
    this.reader = new OutputReader(output.tail, request.settings, (message) => run.journal.warn(message));
    const screen = await this.#loadScreen();
    this.vitals = new Vitals({
      leader: tree.leader,
      source: new TreeSampler(tree.scan, run.directory),
      thresholds: request.settings.thresholds,
      canAnswer: request.canAnswer,
      readsStacks: request.settings.stacks !== 'none',
      startedMs: performance.now() - run.journal.elapsedMs,
      refine: (diagnosis, tools) => {
        const refined = this.#refine(diagnosis, tools);
        return screen?.refine(refined, request.canAnswer) ?? refined;
      },
      toolsForMs: () => output.agent?.toolsForMs ?? null,
    });
    return { vitals: this.vitals, reader: this.reader, screen };
  }

  async #loadScreen(): Promise<ScreenMonitor | null> {
    const { run, request } = this.#options;
    const [log] = run.logs;
    if (request.terminal === null || run.log === null || log === undefined) return null;
    const { ScreenMonitor } = await import('./health/screen-monitor.js');
    return new ScreenMonitor({ path: run.log, start: log.start });
  }

  /** Combines what the output shows with what the tree shows. */
  #refine(diagnosis: Diagnosis, tools: number | null): Diagnosis {
    const { request, output } = this.#options;
    const { agent } = output;
    if (agent !== null) return agent.refine(diagnosis, request.canAnswer, tools);
    return this.reader?.refine(diagnosis, () => this.vitals?.pids ?? []) ?? diagnosis;
  }

  /** Nothing can be read about the command except its output. */
  async #loadBlind(): Promise<null> {
    const { run, request, output } = this.#options;
    const { OutputReader } = await import('./output/output-reader.js');
    this.#pid = (await run.launched.unseen)?.pid ?? 0;
    this.reader = new OutputReader(output.tail, request.settings, (message) => run.journal.warn(message));
    return null;
  }

  /** A script may start an agent long after its own start. */
  #meetAgent({ vitals, reader, screen }: Loaded): void {
    const { request, output } = this.#options;
    const isLikely = screen?.isPainted === true || AgentMonitor.isEvent(output.tail.lastLine);
    if (isLikely) output.agent ??= AgentMonitor.inTree(() => vitals.pids, request.settings);
    reader.isEventStream = output.agent?.speaks === true;
  }

  /** Before a hang is reported, the language runtimes are queried for the code that it is in. */
  async #explained(diagnosis: Diagnosis, vitals: Vitals): Promise<Diagnosis> {
    const { output, request } = this.#options;
    const { stacks } = request.settings;
    if (stacks === 'none' || !isWorsening(this.#reported, diagnosis)) return diagnosis;
    const explained = await vitals.explain(diagnosis, stacks);
    // Output that a program prints because it was queried (as Node does) does not count as its own.
    await output.drain();
    this.#outputMsAtTick = output.lastMs;
    return explained;
  }

  #report(diagnosis: Diagnosis): void {
    const { run, request, ending } = this.#options;
    reportHealth(run.journal, this.#reported, diagnosis);
    this.#reported = diagnosis;
    if (request.settings.killStuck === 'part') ending.stopParts(diagnosis.findings);
    const reason = reasonToStop(diagnosis, request.settings);
    if (reason !== null) ending.stop('stuck', reason);
  }

  async #beat(): Promise<void> {
    const { run, request, output, ending } = this.#options;
    if (this.vitals?.sample == null) await this.#tick();
    if (this.#over) return;
    this.reader?.catchUp(output.lastMs);
    const stalled = this.reader?.beat(run.journal.elapsedMs) ?? null;
    run.journal.report({ kind: 'heartbeat', ...this.read() });
    const hint = request.terminal === null ? output.agent?.hint : undefined;
    if (hint !== undefined && hint !== null) run.journal.warn(hint);
    if (stalled === null) return;
    run.journal.report({ kind: 'stalled', reason: stalled });
    if (request.settings.killOnStall) ending.stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  /** While Unstuck scans and stops a tree, the tree's activity does not count. */
  #isQuiet(): boolean {
    const { ending } = this.#options;
    return this.#over || ending.isStopping || ending.isStoppingPart;
  }
}
