import os from 'node:os';
import { currentDirectory } from '../config/current-directory.js';
import { nearest } from '../config/nearest.js';
import { flagOf, type OptionRow, variableOf } from '../config/option.js';
import { options } from '../config/options.js';
import { type ResolvedSettings, resolveRunSettings, type SettingOrigin } from '../config/resolve.js';
import { Failure } from '../model/failure.js';

/** One setting with its sources and its description. */
export interface SettingExplanation extends SettingOrigin {
  flag: string;
  variable: string;
  /** Its row in the table of options. */
  option: OptionRow;
}

export interface ConfigReport {
  settings: SettingOrigin[];
  files: ResolvedSettings['files'];
  /** Unknown UNSTUCK_ variables with a similar known name. */
  strangers: { variable: string; near: string }[];
}

function homeOrNull(env: NodeJS.ProcessEnv): string | null {
  if (env.HOME) return env.HOME;
  try {
    return os.homedir();
  } catch {
    // This user has no entry in the user database.
    return null;
  }
}

/** The settings for a directory and an environment, with these flags on top. */
export function settingsFor(
  flags: Record<string, unknown>,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): ResolvedSettings {
  return resolveRunSettings({ flags, env, cwd, home: homeOrNull(env) });
}

/** The settings for the current directory and environment. */
export function settingsHere(flags: Record<string, unknown> = {}): ResolvedSettings {
  return settingsFor(flags, { cwd: currentDirectory(), env: process.env });
}

function findStrangers(env: NodeJS.ProcessEnv): ConfigReport['strangers'] {
  const ours = options.map(variableOf);
  return Object.keys(env)
    .filter((name) => name.startsWith('UNSTUCK_') && !ours.includes(name))
    .flatMap((variable) => {
      const near = nearest(
        variable.slice('UNSTUCK_'.length),
        ours.map((name) => name.slice('UNSTUCK_'.length)),
      );
      return near === null ? [] : [{ variable, near: `UNSTUCK_${near}` }];
    });
}

/** `unstuck config` as a function: every setting, its value and its source. */
export function config(): ConfigReport {
  const { origins, files } = settingsHere();
  return { settings: origins, files, strangers: findStrangers(process.env) };
}

/** Explains one setting, given its key, flag or variable. */
export function explainSetting(name: string): SettingExplanation {
  const asked = name.replace(/^--no-/, '--');
  const row = options.find((one) => [one.key, flagOf(one), variableOf(one)].includes(asked));
  if (row === undefined) {
    const keys = options.map(({ key }) => key);
    const near = nearest(asked.replace(/^(--|UNSTUCK_)/, ''), keys);
    throw new Failure(
      'bad-input',
      `no such setting: ${JSON.stringify(name)}`,
      near === null ? `use one of: ${keys.join(', ')}` : `did you mean ${near}?`,
    );
  }
  const origin = settingsHere().origins.find(({ key }) => key === row.key) as SettingOrigin;
  return { ...origin, flag: flagOf(row), variable: variableOf(row), option: row };
}
