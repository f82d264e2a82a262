import { setTimeout as delay } from 'node:timers/promises';
import type { PartRoot } from '../model/facts/identity.js';
import { valueOr } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import type { Receipt } from '../model/run/receipt.js';
import type { Tree } from '../run/health/tree.js';
import type { RunInput } from '../run/input/run-input.js';
import type { Journal } from '../run/journal.js';
import type { Run } from '../run/run.js';
import { isOver } from '../run/state.js';
import type { KillOrders } from '../run/stop/kill-order.js';
import type { RunDirectory } from '../store/run-directory.js';
import { killRun } from './kill-run.js';
import type { Pauses } from './pauses.js';
import { lastSignal, type Signalled, signalRun } from './signal-run.js';

export interface RunActsOptions {
  run: Run;
  directory: RunDirectory;
  journal: Journal;
  orders: KillOrders;
  pauses: Pauses;
  /** null: it was started without an input. */
  input: RunInput | null;
  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void>;
}

const replacedName = 'replaced.json';
/** How long a signal waits for a run that is being started. */
const startMsMax = 5000;

/** What is done to the processes of a run on request. Each request is stored in its directory, and is done once. */
export class RunActs {
  readonly #options: RunActsOptions;

  constructor(options: RunActsOptions) {
    this.#options = options;
  }

  /** Stops the run with everything it started; null: nothing was left to stop. */
  kill(requestId: string, graceMs: number): Promise<{ receipt: Receipt | null } | null> {
    const { run, orders, untilEnded } = this.#options;
    return killRun(run, { orders, requestId, graceMs, untilEnded });
  }

  /** Stops one process of the run with everything it started. The rest goes on. */
  async killPart(part: PartRoot, graceMs: number): Promise<Receipt> {
    const { leader } = await this.#needTree();
    const { id } = this.#options.directory;
    if (part.pid === leader.pid) {
      const hint = `stop the whole run: unstuck kill ${id}`;
      throw new Failure('bad-input', `${part.pid} is the command itself, not a part of it`, hint);
    }
    const receipt = await this.#options.run.ending.parts.stopBranch(part, graceMs);
    if (receipt !== null && receipt.processes.length > 0) return receipt;
    throw new Failure(
      'process-ended',
      `process ${part.pid} no longer belongs to ${id}`,
      `see what it does now: unstuck why ${id}`,
    );
  }

  /** The request replaces this run by another one. A repeated request must not replace that one as well. */
  noteReplaced(requestId: string): void {
    this.#options.directory.writeWhole(replacedName, requestId);
  }

  /** Pauses or resumes the whole tree. false: it was so already. */
  async setPaused(paused: boolean, requestId: string): Promise<boolean> {
    await this.#needTree();
    const news = await this.#options.pauses.set(paused, requestId);
    if (news) {
      const signal = paused ? 'SIGSTOP' : 'SIGCONT';
      this.#report(signal, `a ${paused ? 'pause' : 'resume'} was requested`);
    }
    return news;
  }

  /** Sends a signal to the command, its session or its whole tree, by the kind of signal. */
  async signal(signal: NodeJS.Signals, requestId: string): Promise<Signalled> {
    const tree = await this.#needTree();
    const signalled = await signalRun(this.#options.directory, tree, { signal, requestId });
    this.#report(signal, 'it was requested');
    return signalled;
  }

  /** Throws a Failure when nothing can be written to the run. A repeated request only gets its answer again. */
  needInput(requestId: string): RunInput {
    const { run, input, directory } = this.#options;
    const { id } = directory;
    if (input === null) {
      const hint = 'start it with --stdin, or with --pty when it needs a terminal';
      throw new Failure('input-closed', `${id} was started without an input`, hint);
    }
    if (run.state.kind === 'ended' && !input.knows(requestId)) {
      throw new Failure('run-ended', `${id} has ended`, `see its output: unstuck log ${id}`);
    }
    return input;
  }

  /** Whether a request has been carried out on this run, or is being so. */
  knows(requestId: string): boolean {
    const { directory, orders, pauses, input } = this.#options;
    return (
      orders.read()?.requestId === requestId ||
      input?.knows(requestId) === true ||
      pauses.knows(requestId) ||
      lastSignal(directory)?.requestId === requestId ||
      valueOr(directory.readJson(replacedName), null) === requestId
    );
  }

  #report(signal: NodeJS.Signals, reason: string): void {
    this.#options.journal.report({ kind: 'signal', signal, reason });
  }

  async #needTree(): Promise<Tree> {
    const { run, directory } = this.#options;
    const tree = await Promise.race([run.tree, delay(startMsMax, null, { ref: false })]);
    if (tree !== null && !isOver(run.state)) return tree;
    const { id } = directory;
    if (isOver(run.state)) {
      throw new Failure('run-ended', `${id} has ended`, `see its output: unstuck log ${id}`);
    }
    throw new Failure('cannot-read', `the state of ${id} cannot be read`, 'try again in a moment');
  }
}
