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
/**
 * At one poll in so many, silent runs are polled too: inotify does not report everything everywhere. The output of a tree
 * that runs is also found by the ticks.
 */
const allEvery = 75;

export interface OutputNews<Run> {
  printed(run: Run): void;
  /** It has printed nothing for a while after its last output. */
  fellSilent(run: Run): void;
}

/**
 * Finds new output of many runs. Runs that print are polled. Silent ones are left to inotify, at no cost; their next output
 * makes them polled again, so that a run that prints very often costs no more than its polls.
 */
export class OutputPoll<Run extends PolledRun> {
  /** With the number of polls since the last output; `printed`: there was output before them. */
  readonly #polled = new Map<Run, { quiet: number; printed: boolean }>();
  readonly #silent = new Map<Run, fs.FSWatcher>();
  readonly #news: OutputNews<Run>;
  #polls = 0;

  constructor(news: OutputNews<Run>) {
    this.#news = news;
  }

  add(run: Run): void {
    this.#polled.set(run, { quiet: 0, printed: false });
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
    for (const [run, last] of [...this.#polled]) {
      if (run.status !== 'running') continue;
      last.quiet += 1;
      if (run.log.tail.catchUp()) this.#prints(run);
      else if (last.quiet >= quietPollsMax) this.#rest(run, last.printed);
    }
  }

  /** A run that has ended needs no watch. */
  #pollSilent(run: Run): void {
    if (run.status !== 'running') this.#wake(run);
    else if (run.log.tail.catchUp()) this.#prints(run);
  }

  #wake(run: Run, printed = false): void {
    this.remove(run);
    this.#polled.set(run, { quiet: 0, printed });
  }

  #prints(run: Run): void {
    this.#wake(run, true);
    this.#news.printed(run);
  }

  /** Where inotify is refused, the run goes on being polled. */
  #rest(run: Run, printed: boolean): void {
    if (printed) this.#news.fellSilent(run);
    this.#polled.set(run, { quiet: 0, printed: false });
    const wake = () => {
      this.#wake(run, true);
      if (run.log.tail.catchUp()) this.#news.printed(run);
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
