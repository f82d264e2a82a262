import os from 'node:os';
import { resolveRunSettings } from '../../config/resolve.js';
import type { RunSettings } from '../../config/run-settings.js';
import { outliersOf, trendOf, trendWords } from '../../diagnose/history/trend.js';
import { usualOf } from '../../diagnose/history/usual.js';
import { Failure } from '../../model/failure.js';
import type { HistoryKey, PastRun } from '../../model/run/past-run.js';
import { recoverRuns } from '../../run/history/recover-runs.js';
import { keyOf, runsCounted } from '../../run/history/run-history.js';
import { commandLine, shellLine } from '../../run/prepare.js';
import { HistoryFiles, historyIds } from '../../store/history/history-files.js';
import { privateHome } from '../../store/state-home.js';

/** What is usual for a command. */
export interface UsualRun {
  durationMs: { median: number; p95: number };
  /** The longest of all runs; null: not known. */
  longestSilenceMs: number | null;
}

/** The history of one command. */
export interface CommandHistory {
  version: 1;
  key: string;
  /** Secrets masked, numbers, checksums and temporary paths replaced; or the given key. */
  command: string;
  /** null: the key was given. */
  project: string | null;
  /** Oldest first. */
  runs: PastRun[];
  /** null: fewer than five successful runs. */
  usual: UsualRun | null;
  /** `slower by 30 % since Tuesday`; null: no clear change. */
  trend: string | null;
  /** Ids of runs whose duration is far from the others. */
  outliers: string[];
}

/** Options of `history` and `forgetHistory`. */
export interface HistoryOptions {
  cwd?: string | undefined;
  /** Takes the place of command and project. */
  historyKey?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
}

/** More runs than a history keeps. */
const allRuns = 10_000;

/** The key of a command: which runs are compared with each other. */
export function historyKeyOf(command: readonly string[], options: HistoryOptions = {}): HistoryKey {
  const { cwd = process.cwd() } = options;
  const [line = ''] = command;
  const isLine = command.length === 1 && /\s/.test(line);
  const shown = isLine ? shellLine(line.trim()) : commandLine(command);
  const { historyKey } = settingsIn(options);
  if (command.length === 0 && historyKey === null) {
    throw new Failure('bad-input', 'no command given', 'name one: unstuck history -- npm test');
  }
  return keyOf({ command: shown, cwd }, historyKey);
}

/** The runs of a command, and what is usual for it. */
export function history(command: readonly string[], options: HistoryOptions = {}): CommandHistory {
  const { id, command: shown, project } = historyKeyOf(command, options);
  const home = privateHome(options.env);
  recoverRuns(home);
  return historyWith(home, { key: id, command: shown, project }, settingsIn(options));
}

function historyWith(
  home: string,
  about: Pick<CommandHistory, 'key' | 'command' | 'project'>,
  { thresholds }: Pick<RunSettings, 'thresholds'>,
): CommandHistory {
  const lines = new HistoryFiles(home, about.key).read(allRuns);
  const runs = lines.map(({ command: _, project: __, ...run }) => run);
  const counted = runs.slice(-runsCounted);
  const usual = usualOf(counted, thresholds);
  const trend = trendOf(counted);
  return {
    version: 1,
    ...about,
    runs,
    usual: usual && {
      durationMs: { median: usual.duration.medianMs, p95: usual.duration.p95Ms },
      longestSilenceMs: usual.silence?.longestMs ?? null,
    },
    trend: trend && trendWords(trend, Date.now()),
    outliers: [...outliersOf(counted)],
  };
}

/** All commands with a history, most recently used first. */
export function histories(env?: NodeJS.ProcessEnv): CommandHistory[] {
  const home = privateHome(env);
  recoverRuns(home);
  const settings = settingsIn({ env });
  return historyIds(home).flatMap((key) => {
    const last = new HistoryFiles(home, key).read(1).at(-1);
    return last === undefined
      ? []
      : [historyWith(home, { key, command: last.command, project: last.project }, settings)];
  });
}

/** Removes the history of a command. Returns the number of runs that were in it. */
export function forgetHistory(command: readonly string[], options: HistoryOptions = {}): number {
  return forget(privateHome(options.env), historyKeyOf(command, options).id);
}

/** Removes all histories. Returns the number of runs. */
export function forgetHistories(env?: NodeJS.ProcessEnv): number {
  const home = privateHome(env);
  return historyIds(home).reduce((sum, id) => sum + forget(home, id), 0);
}

function forget(home: string, id: string): number {
  const files = new HistoryFiles(home, id);
  const count = files.read(allRuns).length;
  files.forget();
  return count;
}

function settingsIn({ cwd = process.cwd(), env = process.env, historyKey }: HistoryOptions): RunSettings {
  const flags = historyKey === undefined ? {} : { historyKey };
  return resolveRunSettings({ flags, env, cwd, home: env.HOME ?? os.homedir() }).settings;
}
