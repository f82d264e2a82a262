import { valueOr } from '../model/facts/reading.js';
import type { Exit, Heartbeat, RunReport, Stream } from '../model/run/run.js';
import { MemberScan } from '../probe/members.js';
import { awaitDrained, awaitExit, unknownExit } from './await-end.js';
import { Deadlines } from './deadlines.js';
import { finalReport } from './final-report.js';
import { AgentMonitor } from './health/agent-monitor.js';
import type { Tree } from './health/tree.js';
import { lookBehind } from './look-behind.js';
import { type OpenRun, openRun } from './open-run.js';
import { RunOutput } from './output/run-output.js';
import type { RunRequest } from './request.js';
import { Rounds } from './rounds.js';
import { Ending } from './stop/ending.js';

/** One command from its start to its end. */
export class Supervisor {
  readonly run: OpenRun;
  readonly done: Promise<RunReport>;
  readonly #request: RunRequest;
  readonly #tree: Promise<Tree | null>;
  readonly #output: RunOutput;
  readonly #ending: Ending;
  readonly #rounds: Rounds;
  readonly #deadlines: Deadlines;
  #exited = false;
  #isLossReported = false;

  /** Starts the command. Throws a Failure when it cannot be executed. */
  constructor(request: RunRequest) {
    this.#request = request;
    const { settings } = request;
    const agent = AgentMonitor.of(request.command, settings);
    this.run = openRun(agent === null ? request : { ...request, env: agent.quietEnv(request.env) });
    const { launched, directory, logs, journal } = this.run;
    this.#output = new RunOutput({
      directory,
      logs,
      launched,
      agent,
      take: request.output,
      takeFrom: request.outputFrom ?? null,
      broken: (stream, error) => void this.#breakPipe(stream, error),
      unlogged: () => this.#warnOfLoss('; the rest is passed on, but not kept'),
    });
    this.#tree = this.#meet();
    this.#ending = new Ending({
      journal,
      graceMs: settings.graceMs,
      directory: directory?.path ?? null,
      tree: this.#tree,
      unseen: launched.unseen,
      hasExited: () => this.#exited,
    });
    this.#rounds = new Rounds({
      run: this.run,
      request,
      output: this.#output,
      ending: this.#ending,
      tree: this.#tree,
    });
    this.#deadlines = new Deadlines({
      timeoutMs: settings.timeoutMs,
      idleTimeoutMs: settings.idleTimeoutMs,
      lastOutputMs: () => this.#output.lastMs,
      reached: (outcome, reason) => this.#ending.stop(outcome, reason),
    });
    this.done = this.#toTheEnd();
  }

  interrupt(signal: NodeJS.Signals, insists: boolean): boolean {
    return this.#ending.interrupt(signal, insists);
  }

  pass(signal: NodeJS.Signals): Promise<void> {
    return this.#ending.pass(signal, 'passed on');
  }

  pause(): Promise<void> {
    return this.#ending.pause();
  }

  /** The current state as a heartbeat. */
  pulse(): Heartbeat {
    return this.#rounds.read();
  }

  /** The report if Unstuck must end before the command does. */
  interimReport(): RunReport {
    const exit = this.run.directory?.readExit();
    return this.#report((exit?.kind === 'known' ? exit.value : null) ?? unknownExit, []);
  }

  /** Runs early: a process that ends before it was read cannot be proven to belong to the run. */
  async #meet(): Promise<Tree | null> {
    const { launched, id, label, command, cwd, log, journal, record } = this.run;
    const leader = await launched.identity;
    const pid = leader?.pid ?? (await launched.unseen)?.pid ?? null;
    try {
      record(leader);
    } catch (error) {
      journal.warn(`cannot write to the run's directory: ${(error as Error).message}`);
    }
    journal.report({ kind: 'started', id, label, command, cwd, pid, log });
    const { projectLimits } = this.#request;
    if (projectLimits !== null) journal.report({ kind: 'project-settings', ...projectLimits });
    if (leader === null) return null;
    return { leader, scan: new MemberScan({ runId: id, leader, shim: launched.shim }) };
  }

  async #toTheEnd(): Promise<RunReport> {
    try {
      const { launched, directory } = this.run;
      const exit = await awaitExit({ launched, directory, tree: this.#tree, ending: this.#ending });
      this.#exited = true;
      this.#deadlines.clear();
      this.#output.expectLast();
      await this.#ending.settled;
      const leftBehind = await this.#leave();
      await this.#rounds.stop();
      this.#warnOfLoss('');
      return this.#report(exit, leftBehind);
    } finally {
      await this.#rounds.stop();
      this.#deadlines.clear();
      this.#output.close();
      this.run.launched.release();
    }
  }

  /** Passes on the rest of the output, and handles what the command leaves behind. */
  async #leave(): Promise<RunReport['leftBehind']> {
    const { launched, journal } = this.run;
    const { lingerMs, leftovers } = this.#request.settings;
    const tree = await this.#tree;
    const drain = {
      launched,
      output: this.#output,
      lingerMs,
      isHeld: () => tree === null || tree.scan.scan({ fresh: true }).length > 0,
      ending: this.#ending,
    };
    // A command that was stopped or interrupted leaves nothing behind.
    const stopsRest = leftovers === 'kill' || this.#ending.outcome !== 'exited';
    if (!stopsRest) await awaitDrained(drain);
    const left =
      tree === null ? [] : await lookBehind(tree.scan, { stopsRest, ending: this.#ending, journal });
    if (stopsRest) await awaitDrained(drain);
    return left;
  }

  #report(exit: Exit, leftBehind: RunReport['leftBehind']): RunReport {
    const { agent } = this.#output;
    const report = finalReport({
      run: this.run,
      ending: this.#ending,
      output: this.#output,
      rounds: this.#rounds,
      exit,
      leftBehind,
    });
    return agent === null ? report : { ...report, agent: agent.facts() };
  }

  /** Warns once: the first message has more detail. */
  #warnOfLoss(more: string): void {
    const { directory } = this.run;
    const lost = directory === null ? null : valueOr(directory.outputLost, null);
    if (lost === null || this.#isLossReported) return;
    this.#isLossReported = true;
    this.run.journal.warn(`${lost.message}${more}`);
  }

  /** The reader of Unstuck's output is gone. The command gets a broken pipe, as it would without Unstuck. */
  async #breakPipe(stream: Stream, error: NodeJS.ErrnoException): Promise<void> {
    if (error.code !== 'EPIPE') this.run.journal.warn(`cannot write to ${stream}: ${error.message}`);
    const { stopDraining } = await import('./output/stop-draining.js');
    stopDraining(this.run.launched.shim, stream);
  }
}
