import path from 'node:path';
import type { ProjectLimits } from '../model/run/run.js';
import { printable } from '../text/printable.js';
import { flagOf } from './option.js';
import { ending, type OptionKey, options } from './options.js';
import type { PrintedValue } from './print-value.js';

/** One setting and its source. */
interface Origin {
  key: OptionKey;
  value: PrintedValue;
  origin: string;
  where: string;
}

const valueCharsMax = 40;

/**
 * Settings of the project file that can end a command. A cloned repository may contain such a file, so a run reports
 * which of them apply. null: there are none.
 */
export function projectLimits(origins: readonly Origin[]): ProjectLimits | null {
  const isOn = (wanted: OptionKey) => {
    const row = options.find(({ key }) => key === wanted);
    const value = origins.find(({ key }) => key === wanted)?.value;
    return row === undefined || !('default' in row) || value !== row.default;
  };
  const keys = new Set<OptionKey>([
    ...ending.always.filter(isOn),
    ...(isOn('killOn') ? ending.killOn : []),
    ...(isOn('killOnStall') ? ending.killOnStall : []),
  ]);
  const settings = origins.filter(({ key, origin }) => origin === 'project file' && keys.has(key));
  const [first] = settings;
  if (first === undefined) return null;
  const list = settings.map(({ key, value }) => `${flagOf({ key }).slice(2)} ${shown(value)}`);
  const { dir, base } = path.parse(first.where);
  return {
    file: first.where,
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
    message: printable(`${base} in ${dir} sets ${list.join(', ')}; to ignore it: --no-project-file`),
  };
}

function shown(value: PrintedValue): string {
  const text = String(value);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}
