import os from 'node:os';
import type { NoticeDesk } from '../notices/notice-desk.js';
import type { WallClock } from '../notices/wall-clock.js';
import type { BackgroundRun } from './background-run.js';
import { LeaseMonitor } from './lease/monitor.js';
import { reportOwnerGone } from './lease/notice.js';
import { RunNotifier } from './notify/run-notifier.js';

/** What accompanies runs: their notices, and their leases. */
export class Attendance {
  readonly #notices: NoticeDesk;
  readonly #clock: WallClock;
  readonly #notifiers = new Map<string, RunNotifier>();
  readonly #leases: LeaseMonitor;

  constructor(notices: NoticeDesk, clock: WallClock) {
    this.#notices = notices;
    this.#clock = clock;
    this.#leases = new LeaseMonitor((run, text) => reportOwnerGone(notices, run.record, text));
  }

  /** Throws when the files of the run cannot be read. */
  add(run: BackgroundRun): void {
    const { record, directory } = run;
    const { notify, lease } = record.background;
    if (notify !== null) {
      // Commands for notices run here, wherever the run is.
      this.#notices.add(directory, run.on === null ? record.cwd : os.homedir(), notify);
      this.#notifiers.set(record.id, new RunNotifier(run, notify, this.#notices, this.#clock));
    }
    if (lease !== null) this.#leases.add(run, lease);
  }

  /** A run that has ended has no owner to wait for. Its notices may still be delivered. */
  ended(id: string): void {
    this.#leases.remove(id);
  }

  remove(id: string): void {
    this.#notices.forget(id);
    this.#notifiers.get(id)?.close();
    this.#notifiers.delete(id);
    this.#leases.remove(id);
  }

  closeLeases(): void {
    this.#leases.close();
  }

  closeNotifiers(): void {
    for (const notifier of this.#notifiers.values()) notifier.close();
  }
}
