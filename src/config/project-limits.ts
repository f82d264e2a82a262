import path from 'node:path';
import { printable } from '../model/printable.js';
import type { ProjectLimits } from '../model/run.js';
import { flagOf } from './option.js';
import { type OptionKey, options } from './options.js';
import type { SettingOrigin } from './resolve.js';

const valueCharsMax = 40;

/**
 * Settings of the project file that can end a command. A cloned repository brings such a file along, so a run says
 * which of them hold. null: there are none.
 */
export function projectLimits(origins: readonly SettingOrigin[]): ProjectLimits | null {
  const byKey = new Map(origins.map((one) => [one.key, one]));
  const isOff = (key: OptionKey) => {
    const row = options.find((one) => one.key === key);
    return row !== undefined && 'default' in row && byKey.get(key)?.value === row.default;
  };
  const settings = options.flatMap(({ key, ends }) => {
    const one = byKey.get(key);
    if (ends === undefined || one?.origin !== 'project file') return [];
    // Thresholds end nothing by themselves.
    return isOff(ends === true ? key : (ends as OptionKey)) ? [] : [one];
  });
  const [first] = settings;
  if (first === undefined) return null;
  const list = settings.map(({ key, value }) => `${flagOf({ key }).slice(2)} ${shown(value)}`);
  const { dir, base } = path.parse(first.where);
  return {
    file: first.where,
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
    message: printable(`${base} in ${dir} sets ${list.join(', ')}; without it: --no-project-file`),
  };
}

function shown(value: SettingOrigin['value']): string {
  const text = String(value);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}
