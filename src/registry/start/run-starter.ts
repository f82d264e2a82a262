import type { NoticeDesk } from '../../notices/notice-desk.js';
import type { PlaceSession } from '../../places/session.js';
import { startInPlace } from '../place/run-there.js';
import { SessionPool } from '../place/session-pool.js';
import { type LaunchedRun, launchRun, layRun } from './launch-run.js';
import { type PreparedStart, prepareStart, type StartRequest } from './prepare-start.js';
import { checkDescriptors } from './room-for-run.js';

/** A run whose command was started, with what was accepted, but may not be what was meant. */
export interface StartedRun {
  launched: LaunchedRun;
  warnings: readonly string[];
}

interface RunStarterOptions<Run> {
  /** The directory of all runs. */
  runs: string;
  notices: NoticeDesk;
  /** Called once for each run. */
  started(run: StartedRun): Run;
}

/** Starts commands on this machine and in other places. */
export class RunStarter<Run> {
  readonly #options: RunStarterOptions<Run>;
  readonly #places = new SessionPool();
  /** Starts in other places that are not answered yet. */
  readonly #startingThere = new Map<string, Promise<Run>>();

  constructor(options: RunStarterOptions<Run>) {
    this.#options = options;
  }

  /** In its place. A repeated request waits for the start that is in progress. */
  start(id: string, request: StartRequest): Run | Promise<Run> {
    if (request.on === undefined) return this.startHere(id, request);
    const { started } = this.#options;
    const starting =
      this.#startingThere.get(id) ??
      this.#startThere(id, request)
        .then(started)
        .finally(() => this.#startingThere.delete(id));
    this.#startingThere.set(id, starting);
    return starting;
  }

  startHere(id: string, request: StartRequest): Run {
    const prepared = this.#prepare(request);
    const launched = launchRun(this.#options.runs, id, prepared, request);
    return this.#options.started({ launched, warnings: prepared.warnings });
  }

  /** Until the place has answered, the run is not claimed here: a repeated request starts it again, with the same id. */
  async #startThere(id: string, request: StartRequest): Promise<StartedRun> {
    const prepared = this.#prepare(request);
    const laid = layRun(this.#options.runs, id, prepared, request);
    try {
      const session = this.sessionOf(laid);
      if (session === null) throw new Error('the run is on this machine');
      await startInPlace(session, laid, prepared, request);
      laid.directory.claim();
    } catch (error) {
      laid.directory.remove();
      throw error;
    }
    return { launched: laid, warnings: prepared.warnings };
  }

  /** The connection to the place of a run; null: it is on this machine. */
  sessionOf({ record: { background } }: LaunchedRun): PlaceSession | null {
    return background.on === undefined ? null : this.#places.get(background.on);
  }

  close(): void {
    this.#places.close();
  }

  #prepare(request: StartRequest): PreparedStart {
    checkDescriptors();
    const { label = null, task = null, owner = null, tags } = request;
    const { events, fault } = this.#options.notices.routed({ label, task, owner, tags });
    const prepared = prepareStart(request, events);
    if (fault !== null) prepared.warnings.push(`notices are not routed: ${fault}`);
    return prepared;
  }
}
