import fs from 'node:fs';

/** The part of a run that is polled. */
export interface PolledRun {
  readonly status: string;
  readonly log: {
    readonly path: string;
    readonly tail: { catchUp(): boolean };
  };
}

/** After this many polls without output a run counts as silent. */
const quietPollsMax = 3;
/** At one poll in so many, silent runs are polled too: inotify does not report everything everywhere. */
const allEvery = 15;

/**
 * Finds new output of many runs. Runs that print are polled. Silent ones are left to inotify, at no cost; their next output
 * makes them polled again, so that a run that prints very often costs no more than its polls.
 */
export class OutputPoll<Run extends PolledRun> {
  /** With the number of polls since the last output. */
  readonly #polled = new Map<Run, number>();
  readonly #silent = new Map<Run, fs.FSWatcher>();
  readonly #printed: (run: Run) => void;
  #polls = 0;

  constructor(printed: (run: Run) => void) {
    this.#printed = printed;
  }

  add(run: Run): void {
    this.#polled.set(run, 0);
  }

  remove(run: Run): void {
    this.#polled.delete(run);
    this.#silent.get(run)?.close();
    this.#silent.delete(run);
  }

  close(): void {
    for (const run of [...this.#silent.keys(), ...this.#polled.keys()]) this.remove(run);
  }

  poll(): void {
    this.#polls += 1;
    if (this.#polls % allEvery === 0) for (const run of [...this.#silent.keys()]) this.#pollSilent(run);
    for (const [run, quiet] of [...this.#polled]) {
      if (run.status !== 'running') continue;
      if (run.log.tail.catchUp()) this.#prints(run);
      else if (quiet + 1 < quietPollsMax) this.#polled.set(run, quiet + 1);
      else this.#rest(run);
    }
  }

  /** A run that has ended needs no watch. */
  #pollSilent(run: Run): void {
    if (run.status !== 'running') this.#wake(run);
    else if (run.log.tail.catchUp()) this.#prints(run);
  }

  #wake(run: Run): void {
    this.remove(run);
    this.add(run);
  }

  #prints(run: Run): void {
    this.#wake(run);
    this.#printed(run);
  }

  /** Where inotify is refused, the run goes on being polled. */
  #rest(run: Run): void {
    const wake = () => {
      this.#wake(run);
      if (run.log.tail.catchUp()) this.#printed(run);
    };
    try {
      const watcher = fs.watch(run.log.path, { persistent: false }, wake).on('error', wake);
      this.#polled.delete(run);
      this.#silent.set(run, watcher);
    } catch {
      return;
    }
    // It may have printed before the watch was there.
    this.#pollSilent(run);
  }
}
