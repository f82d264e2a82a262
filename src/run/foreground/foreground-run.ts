import path from 'node:path';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { valueOr } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import type { Heartbeat, RunReport, Stream } from '../../model/run/run.js';
import { pruneRuns } from '../../store/prune-runs.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { privateHome } from '../../store/state-home.js';
import { AgentMonitor } from '../health/agent-monitor.js';
import { RunHistory } from '../history/run-history.js';
import { RunOutput } from '../output/run-output.js';
import type { EndManner, ShimReports } from '../parts.js';
import { PlaceShim } from '../place/place-shim.js';
import { commandLine, labelOf } from '../prepare.js';
import { type EndFacts, notStartedReport } from '../report/compose.js';
import type { RunRequest } from '../request.js';
import { Run } from '../run.js';
import { isOver, unknownExit } from '../state.js';
import { keepInterim, keepRun, writeWanted } from './keep.js';
import { type OpenRun, openRun } from './open.js';
import { Timers } from './pulse.js';
import { ShimPipe } from './shim-pipe.js';

/** A run in the foreground: its output is passed on, and signals reach it. */
export class ForegroundRun {
  readonly id: string;
  readonly label: string;
  readonly done: Promise<RunReport>;
  readonly #request: RunRequest;
  readonly #open: OpenRun;
  readonly #output: RunOutput;
  readonly #shim: ShimReports;
  readonly #run: Run<Timers>;

  /** Starts the command. Throws a Failure when it cannot be executed. */
  constructor(request: RunRequest) {
    this.#request = request;
    const { settings, canAnswer } = request;
    const agent = AgentMonitor.of(request.command, settings);
    const env = agent === null ? request.env : agent.quietEnv(request.env);
    const open = openOrReport({ ...request, env, suspended: this.#suspended() });
    this.#open = open;
    this.id = open.id;
    this.label = open.label;
    const { launched, directory, logs, journal } = open;
    const output = new RunOutput({
      directory,
      logs,
      launched,
      agent,
      take: request.output,
      takeFrom: request.outputFrom ?? null,
      broken: (stream, error) => void this.#breakPipe(stream, error),
      unlogged: () => this.#warnUnlogged(),
    });
    this.#output = output;
    const shim = this.#shimOf(open, output);
    this.#shim = shim;
    const manner: EndManner = {
      isHeld: (tree) => !tree?.scan || tree.scan.scan({ fresh: true }).length > 0 || output.isDrained(),
      takeLast: (isAll) => (isAll ? output.finish() : output.drainPresent()),
      endFacts: () => this.#factsNow(),
      isPatient: false,
      passesOn: true,
      isReported: () => false,
      keep: (report) => keepRun(open, report, request),
    };
    const { unseen } = launched;
    const ageMs = () => journal.elapsedMs;
    this.#run = new Run(
      {
        about: open,
        settings,
        canAnswer,
        directory,
        logs,
        history: new RunHistory(privateHome, open, settings),
        journal,
        output,
        shim,
        orders: null,
        manner,
        unseen,
        ageMs,
      },
      (run) => new Timers({ run, open, request, output }),
    );
    this.#run.begin();
    this.done = this.#finish();
  }

  /** null: nothing could be stored. */
  get directory(): RunDirectory | null {
    return this.#open.directory;
  }

  /**
   * Passes a signal to the tree. `insists`: a second such call does not wait for the command any more, but kills the
   * tree, and returns true.
   */
  interrupt(signal: NodeJS.Signals, insists: boolean): boolean {
    const isKilled = this.#run.ending.interrupt(signal, insists);
    // Nothing may replace the report of the end.
    if (isOver(this.#run.state)) return isKilled;
    const exit = this.#open.directory?.readExit();
    const known = exit?.kind === 'known' ? exit.value : null;
    const report = this.#run.report({ ...this.#factsNow(), exit: known ?? unknownExit, leftBehind: [] });
    keepInterim(this.#open, report, this.#request);
    return isKilled;
  }

  /** Passes on a signal that is not meant to end the run. */
  pass(signal: NodeJS.Signals): Promise<void> {
    return this.#run.ending.pass(signal, 'passed on');
  }

  /** Stops the tree, as Ctrl-Z does; SIGCONT lets it go on. */
  pause(): Promise<void> {
    return this.#run.ending.pause();
  }

  /** The current state. */
  pulse(): Heartbeat {
    return this.#run.pulse.read();
  }

  #shimOf({ id, launched, directory, logs, journal }: OpenRun, output: RunOutput): ShimReports {
    const { there } = this.#request;
    const close = () => output.close();
    if (there === undefined || directory === null) {
      return new ShimPipe({ id, launched, directory, met: (leader) => this.#meet(leader), close });
    }
    const met = (leader: ProcessIdentity) => void this.#meet(leader);
    const away = ({ message }: Failure) => journal.warn(`${message}; it goes on there, and is asked again`);
    return new PlaceShim({ session: there.session, directory, logs, met, away, closed: close });
  }

  async #finish(): Promise<RunReport> {
    const report = (await this.#run.done) as RunReport;
    const { directory } = this.#open;
    if (directory?.exists) pruneRuns(path.dirname(directory.path));
    return report;
  }

  #factsNow(): Omit<EndFacts, 'exit' | 'leftBehind'> {
    const { directory, journal } = this.#open;
    return {
      atMs: Date.now(),
      elapsedMs: Math.round(journal.elapsedMs),
      progress: this.#run.pulse.monitor?.clues.progress() ?? null,
      outputLost: directory === null ? null : valueOr(directory.outputLost, null),
    };
  }

  async #meet(leader: ProcessIdentity | null): Promise<void> {
    const { launched, id, label, command, cwd, log, journal, record } = this.#open;
    const pid = leader?.pid ?? (await launched.unseen)?.pid ?? null;
    try {
      record(leader);
    } catch (error) {
      journal.warn(`cannot write to the run's directory: ${(error as Error).message}`);
    }
    journal.report({ kind: 'started', id, label, command, cwd, pid, log });
    const { projectLimits } = this.#request;
    if (projectLimits !== null) journal.report({ kind: 'project-settings', ...projectLimits });
  }

  /** What the command has drawn before it stopped is shown first. */
  #suspended(): RunRequest['suspended'] {
    const { suspended } = this.#request;
    return suspended && (() => this.#output.catchUp().then(suspended, suspended));
  }

  #warnUnlogged(): void {
    const { outputLost } = this.#factsNow();
    if (outputLost !== null) {
      this.#open.journal.warn(`${outputLost.message}; the rest is passed on, but not kept`);
    }
  }

  /** The reader of Unstuck's output is gone. The command gets a broken pipe, as it would without Unstuck. */
  async #breakPipe(stream: Stream, error: NodeJS.ErrnoException): Promise<void> {
    const { journal, launched } = this.#open;
    if (error.code !== 'EPIPE') journal.warn(`cannot write to ${stream}: ${error.message}`);
    if (this.#shim instanceof PlaceShim) {
      await this.#shim.abandon(stream).catch(() => {});
      return;
    }
    if (launched.shim === null) return;
    const { stopDraining } = await import('../output/drains.js');
    stopDraining(launched.shim, stream);
  }
}

/** A command that could not be started gets a report too. */
function openOrReport(request: RunRequest): OpenRun {
  try {
    return openRun(request);
  } catch (error) {
    if (error instanceof Failure) {
      const { command, cwd, settings } = request;
      const about = { label: settings.label ?? labelOf(command), command: commandLine(command), cwd };
      void writeWanted(notStartedReport(about, error), request, () => {});
    }
    throw error;
  }
}
