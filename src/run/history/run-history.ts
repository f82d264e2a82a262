import type { RunSettings } from '../../config/run-settings.js';
import { sameCommand } from '../../diagnose/history/same-command.js';
import type { HistoryKey, PastRun } from '../../model/run/past-run.js';
import type { RunReport } from '../../model/run/run.js';
import { HistoryFiles } from '../../store/history/history-files.js';
import { historyKey } from '../../store/history/history-key.js';
import type { RunAbout } from '../report/compose.js';

/** The last runs that count. */
export const runsCounted = 200;

export type HistoryWishes = Pick<RunSettings, 'history' | 'historyKey'>;

/** The key of a command as it is stored and shown: masked. */
export function keyOf({ command, cwd }: Pick<RunAbout, 'command' | 'cwd'>, given: string | null): HistoryKey {
  return historyKey(sameCommand(command), cwd, given);
}

/** The earlier runs of the command of a run, and its own line among them. */
export class RunHistory {
  readonly #home: () => string;
  readonly #about: RunAbout;
  readonly #wishes: HistoryWishes;
  #key: HistoryKey | null = null;

  /** `home`: the state home. */
  constructor(home: () => string, about: RunAbout, wishes: HistoryWishes) {
    this.#home = home;
    this.#about = about;
    this.#wishes = wishes;
  }

  /** Adds an ended run, unless it is there. A history that cannot be written stops nothing. */
  add(run: PastRun): void {
    if (!this.#wishes.history) return;
    try {
      const key = this.#ownKey();
      new HistoryFiles(this.#home(), key.id).append(run, key);
    } catch {
      // A full disk, or a home that cannot be used, which is reported elsewhere.
    }
  }

  /** The last runs of the command, oldest first. Takes a few milliseconds, so it is not called while a command starts. */
  runs(): PastRun[] {
    if (!this.#wishes.history) return [];
    try {
      return readRecently(this.#home(), this.#ownKey().id);
    } catch {
      return [];
    }
  }

  #ownKey(): HistoryKey {
    this.#key ??= keyOf(this.#about, this.#wishes.historyKey);
    return this.#key;
  }
}

/** A daemon may start many runs of a command at once. */
const recently = new Map<string, { atMs: number; runs: PastRun[] }>();
const recentlyMs = 5000;
const recentlyMax = 100;

function readRecently(home: string, id: string): PastRun[] {
  const nowMs = performance.now();
  const name = `${home}\0${id}`;
  const known = recently.get(name);
  if (known !== undefined && nowMs - known.atMs < recentlyMs) return known.runs;
  const runs = new HistoryFiles(home, id).read(runsCounted);
  if (recently.size >= recentlyMax) recently.clear();
  recently.set(name, { atMs: nowMs, runs });
  return runs;
}

/** The line of a run. */
export function pastRun(report: RunReport, seen: Pick<PastRun, 'lines' | 'phases' | 'etaError'>): PastRun {
  const { id, startedAt, elapsedMs, longestSilenceMs, outcome, exit, peak } = report;
  return {
    id,
    startedAt,
    durationMs: elapsedMs,
    longestSilenceMs,
    lines: seen.lines,
    outcome,
    exit,
    cpuPercent: peak.cpuPercent,
    residentBytes: peak.residentBytes,
    phases: [...seen.phases],
    etaError: seen.etaError,
  };
}
