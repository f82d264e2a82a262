import os from 'node:os';
import { nearest } from '../config/nearest.js';
import { flagOf, type OptionRow, variableOf } from '../config/option.js';
import { options } from '../config/options.js';
import { type ResolvedSettings, resolveRunSettings, type SettingOrigin } from '../config/resolve.js';
import { Failure } from '../model/failure.js';

/** One setting with all there is to know about it. */
export interface SettingExplanation extends SettingOrigin {
  flag: string;
  variable: string;
  /** Its row in the table: what it is for and what it may be. */
  option: OptionRow;
}

export interface ConfigReport {
  settings: SettingOrigin[];
  files: ResolvedSettings['files'];
  /** Variables that look like one of ours and are none. */
  strangers: { variable: string; near: string }[];
}

function homeOrNull(env: NodeJS.ProcessEnv): string | null {
  if (env.HOME) return env.HOME;
  try {
    return os.homedir();
  } catch {
    // This user has no entry in the list of users.
    return null;
  }
}

function cwdOrFail(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure('cannot-read', 'the current directory does not exist any more', 'cd to another one', {
      cause,
    });
  }
}

/** What holds in a directory and an environment, with these flags on top. */
export function settingsFor(
  flags: Record<string, unknown>,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): ResolvedSettings {
  return resolveRunSettings({ flags, env, cwd, home: homeOrNull(env) });
}

/** What holds here and now. */
export function settingsHere(flags: Record<string, unknown> = {}): ResolvedSettings {
  return settingsFor(flags, { cwd: cwdOrFail(), env: process.env });
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

/** `unstuck config` as a function: every setting, its value and where it came from (I4). */
export function config(): ConfigReport {
  const { origins, files } = settingsHere();
  return { settings: origins, files, strangers: findStrangers(process.env) };
}

/** All about one setting: its key, its flag or its variable may be given. */
export function explainSetting(name: string): SettingExplanation {
  const asked = name.replace(/^--no-/, '--');
  const row = options.find((one) => [one.key, flagOf(one), variableOf(one)].includes(asked));
  if (row === undefined) {
    const keys = options.map(({ key }) => key);
    const near = nearest(asked.replace(/^(--|UNSTUCK_)/, ''), keys);
    throw new Failure(
      'bad-input',
      `there is no setting ${JSON.stringify(name)}`,
      near === null ? `there are ${keys.join(', ')}` : `did you mean ${near}?`,
    );
  }
  const origin = settingsHere().origins.find(({ key }) => key === row.key) as SettingOrigin;
  return { ...origin, flag: flagOf(row), variable: variableOf(row), option: row };
}
