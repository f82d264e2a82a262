import type { ProcessIdentity } from '../../model/facts/identity.js';
import { metricsOf } from '../../model/run/health.js';
import type { Heartbeat } from '../../model/run/run.js';
import { stateHome } from '../../store/state-home.js';
import { stuckPartsOf } from '../health/report-health.js';
import type { ScreenMonitor } from '../health/screen-monitor.js';
import type { Monitor } from '../monitor.js';
import type { RunOutput } from '../output/run-output.js';
import type { Pulse } from '../parts.js';
import type { PlaceSampler } from '../place/place-sampler.js';
import type { RunRequest } from '../request.js';
import type { Run } from '../run.js';
import { commandOf, isOver, isStarting } from '../state.js';
import type { OpenRun } from './open.js';

export interface TimersOptions {
  run: Run;
  open: OpenRun;
  request: RunRequest;
  output: RunOutput;
}

const loadAfterMs = 1000;

/** The timers of a foreground run: ticks and heartbeats. */
export class Timers implements Pulse {
  readonly #options: TimersOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #loading: Promise<Monitor> | null = null;
  #ticking: Promise<void> | null = null;
  /** 0: not known. */
  #pid = 0;
  /** null: it runs on this machine. */
  #elsewhere: PlaceSampler | null = null;
  /** Set once the run has lasted a little. */
  monitor: Monitor | null = null;

  constructor(options: TimersOptions) {
    this.#options = options;
    const { settings } = options.request;
    // Short commands never get here: the modules for ticks are loaded later, when nothing waits for them.
    this.#timers.push(setTimeout(() => void this.#load(), loadAfterMs));
    this.#every(settings.thresholds.sampleMs, () => this.#tick());
    this.#every(settings.heartbeatMs, () => this.#beat());
  }

  /** The current state as a heartbeat. */
  read(): Heartbeat {
    const { run, open, request, output } = this.#options;
    const { armAfterMs, sameLinePulses } = request.settings;
    const { monitor } = this;
    const { vitals, clues, diagnosis } = monitor ?? { vitals: null, clues: null, diagnosis: null };
    const { elapsedMs, state } = run;
    const isBlind = !isStarting(state) && commandOf(state).leader === null;
    const programs = vitals?.programs() ?? [];
    const estimate = monitor?.estimate ?? null;
    const phase = clues?.phase(programs.map(({ name }) => name)) ?? null;
    if (monitor !== null) monitor.phase = phase;
    return {
      label: open.label,
      elapsedMs,
      lastOutputMs: output.bytes === 0 ? null : performance.now() - output.lastMs,
      line: output.tail.lastLine,
      lineStream: output.lineStream,
      pid: this.#pid,
      programs,
      cpuPercent: vitals?.sample?.cpuPercent ?? 0,
      ...(diagnosis !== null && { metrics: metricsOf(diagnosis.numbers) }),
      phase,
      progress: clues?.progress() ?? null,
      ...(estimate !== null && { estimate }),
      health: isBlind ? 'unknown' : (diagnosis?.health ?? 'healthy'),
      ...stuckPartsOf(diagnosis),
      armInMs: Math.max(0, armAfterMs - elapsedMs),
      same: clues?.same ?? 0,
      samePulses: sameLinePulses,
      log: open.log,
      ...(output.agent !== null && { agent: output.agent.facts() }),
    };
  }

  mayHaveLeft(): boolean {
    return true;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ticking;
    this.monitor?.close();
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
    if (this.#options.run.isQuiet()) return;
    const monitor = await this.#load();
    if (this.#elsewhere !== null) await tickElsewhere(monitor, this.#elsewhere);
    else {
      do await monitor.tick();
      while (monitor.isUnexplained);
    }
    await monitor.settled;
  }

  #load(): Promise<Monitor> {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  }

  async #loadOnce(): Promise<Monitor> {
    const { run, open, request, output } = this.#options;
    const [tree, unseen, { Monitor }, { OutputClues }, { TreeSampler }, screen, { recoverRuns }] =
      await Promise.all([
        run.tree,
        open.launched.unseen,
        import('../monitor.js'),
        import('../output/clues.js'),
        import('../health/tree-sampler.js'),
        this.#loadScreen(),
        import('../history/recover-runs.js'),
      ]);
    this.#pid = tree?.leader.pid ?? unseen?.pid ?? 0;
    const { settings, canAnswer } = request;
    const warn = (message: string) => run.parts.journal.warn(message);
    const clues = new OutputClues({ output, settings, canAnswer, screen, warn });
    const scan = tree?.scan ?? null;
    const here = scan && { leader: scan.leader, source: new TreeSampler(scan, open.directory) };
    const there = await this.#loadElsewhere(tree?.leader ?? null);
    const monitor = new Monitor({ run, clues, tree: there ?? here, beatMs: null });
    if (isOver(run.state)) monitor.close();
    if (request.settings.history) setImmediate(() => recoverRuns(stateHome()));
    this.monitor = monitor;
    return monitor;
  }

  async #loadElsewhere(leader: ProcessIdentity | null) {
    const { there } = this.#options.request;
    if (there === undefined || leader === null) return null;
    const { PlaceSampler } = await import('../place/place-sampler.js');
    const source = PlaceSampler.through(there.session, leader.pid);
    this.#elsewhere = source;
    return { leader, source, admit: source.admit };
  }

  async #loadScreen(): Promise<ScreenMonitor | null> {
    const { open, request } = this.#options;
    const [log] = open.logs;
    if (request.terminal === null || open.log === null || log === undefined) return null;
    const { ScreenMonitor } = await import('../health/screen-monitor.js');
    return new ScreenMonitor({ path: open.log, start: log.start });
  }

  async #beat(): Promise<void> {
    const { run, request, output } = this.#options;
    if (this.monitor?.vitals?.sample == null) await this.#tick();
    if (isOver(run.state)) return;
    const report = () => {
      run.parts.journal.report({ kind: 'heartbeat', ...this.read() });
      const hint = request.terminal === null ? output.agent?.hint : undefined;
      if (hint !== undefined && hint !== null) run.parts.journal.warn(hint);
    };
    if (this.monitor === null) report();
    else this.monitor.beat(report);
  }
}

/** While the place does not answer, only the output is known. */
async function tickElsewhere(monitor: Monitor, source: PlaceSampler): Promise<void> {
  if (await source.fetch()) await monitor.tick();
  else monitor.clues.catchUp();
}
