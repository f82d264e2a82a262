import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../model/facts/absence.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { KnownMember } from '../probe/members.js';
import { bootId, livenessOf, readRow } from '../probe/processes.js';
import { type Tree, treeOf } from '../run/health/tree.js';
import type { ShimReports } from '../run/parts.js';
import { standingOf } from '../run/standing.js';
import type { Command, Exited, Standing } from '../run/state.js';
import type { RunDirectory } from '../store/run-directory.js';

export interface ShimFilesOptions {
  directory: RunDirectory;
  /** Boot id of the machine when the run was started. */
  boot: string;
  /** The shim that this daemon just started for the run; null: another daemon started it. */
  shim: number | null;
  /** The processes of the run as of the last tick. */
  known(): readonly KnownMember[];
}

const startMs = [1, 1, 1, 1, 1, 1, 1, 1, 2, 5, 5, 10, 10, 20, 50, 100, 200];
/** After so many polls of a start that found no command, everything is read, not only whether there is one. */
const quickPollsMax = 8;
/** The poll interval for a state that cannot be read or watched. */
const againMs = 1000;
/** The last polls of a start take about a second each. */
const startPollsMax = startMs.length + 10;
/** A part of the shim may outlive the rest and write the status a moment after the end. */
const recordMsMax = 500;
const drainFirstMs = 2;
const drainMsMax = 50;

/** What the files of a run and the process table show, whichever shim or daemon started it. */
export class ShimFiles implements ShimReports {
  readonly #options: ShimFilesOptions;
  #seen: (standing: Standing) => void = () => {};
  #watcher: fs.FSWatcher | null = null;
  #again: NodeJS.Timeout | null = null;
  /** Lives after the end of the command; null: it does not. */
  #shim: ProcessIdentity | null = null;
  #stage: 'polled' | 'proving' | 'closed' = 'polled';

  constructor(options: ShimFilesOptions) {
    this.#options = options;
  }

  follow(seen: (standing: Standing) => void): void {
    this.#seen = seen;
    this.#watch();
    void this.#followStart();
  }

  /** null: nothing can be left of it, because it never ran or the machine was restarted. */
  treeOf({ leader, shim }: Command): Tree | null {
    if (leader === null || leader.bootId !== bootId()) return null;
    const { directory, known } = this.#options;
    return treeOf({ runId: directory.id, leader, shim: shim?.pid ?? null, known });
  }

  check(): void {
    this.#poll();
  }

  /** More output may come while the shim lives. */
  async drained(ms: number): Promise<boolean> {
    const untilMs = performance.now() + ms;
    for (let waitMs = drainFirstMs; !this.#isDrained(); waitMs = Math.min(drainMsMax, waitMs * 2)) {
      if (performance.now() > untilMs) return false;
      await delay(waitMs, undefined, { ref: false });
    }
    return true;
  }

  close(): void {
    this.#stage = 'closed';
    this.#watcher?.close();
    this.#watcher = null;
    if (this.#again !== null) clearTimeout(this.#again);
  }

  /** Polls the state until the command runs, or its end is seen. */
  async #followStart(): Promise<void> {
    const { directory, shim } = this.#options;
    for (let polls = 0; ; polls++) {
      const isQuick = shim !== null && polls < quickPollsMax;
      if (isQuick && !directory.hasLeader) {
        await delay(startMs[polls], undefined, { ref: false });
        continue;
      }
      const standing = this.#poll();
      if (standing === null || standing.kind === 'running' || standing.kind === 'ended') return;
      // The shim has ended without claiming the run. The claim is made here, so that no other shim starts it.
      if (standing.kind === 'unclaimed' && (isGone(shim) || polls > startPollsMax)) giveUp(directory);
      await delay(startMs[polls] ?? againMs, undefined, { ref: false });
    }
  }

  /** null: the end was seen before, and is being proven or is known. */
  #poll(): Standing | null {
    if (this.#stage !== 'polled') return null;
    const { directory, boot } = this.#options;
    if (this.#watcher === null) this.#watch();
    const standing = standingOf(directory, boot);
    if (standing.kind === 'unknown') this.#pollAgain();
    if (standing.kind === 'ended') {
      this.#stage = 'proving';
      void this.#prove(standing);
    } else this.#seen(standing);
    return standing;
  }

  #watch(): void {
    try {
      // Only this file is watched: a watch on the directory would wake the daemon for every printed line.
      const file = this.#options.directory.file('exit');
      this.#watcher = fs.watch(file, { persistent: false }, () => this.#poll());
      this.#watcher.on('error', () => {});
    } catch {
      // The limit of inotify or of open files is reached.
      this.#pollAgain();
    }
  }

  #pollAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = null;
      this.#poll();
    }, againMs).unref();
  }

  /** An end without a status is read again for a while, and every end once more: it cannot be withdrawn. */
  async #prove({ exit }: Exited): Promise<void> {
    const { directory, boot } = this.#options;
    const untilMs = performance.now() + (exit.provenance === 'unknown' ? recordMsMax : 0);
    for (let waitMs = drainFirstMs; performance.now() < untilMs; waitMs = Math.min(drainMsMax, waitMs * 2)) {
      const recorded = directory.readExit();
      if ((recorded.kind === 'known' && recorded.value !== null) || this.#isReported()) break;
      await delay(waitMs, undefined, { ref: false });
    }
    if (this.#stage === 'closed') return;
    const last = standingOf(directory, boot);
    if (last.kind !== 'ended') {
      this.#stage = 'polled';
      this.#pollAgain();
    } else {
      this.#shim = last.shim;
      this.#seen(last);
    }
  }

  /** The report is already written. A reader of its output does not make the run live again. */
  #isReported(): boolean {
    const { hasReport } = this.#options.directory;
    return hasReport.kind === 'known' && hasReport.value;
  }

  #isDrained(): boolean {
    const isGone = this.#shim === null || livenessOf(this.#shim) === 'ended';
    return isGone || this.#stage === 'closed' || this.#isReported();
  }
}

/** Proven: a shim that cannot be read may live. */
function isGone(shim: number | null): boolean {
  const row = shim === null ? null : readRow(shim);
  return isAbsent(row) && row.absent === 'gone';
}

function giveUp(directory: RunDirectory): void {
  try {
    directory.claim();
  } catch {
    // Tried again at the next poll.
  }
}
