import { options as optionRows } from '../config/options.js';
import { readValue } from '../config/read-value.js';
import { resolveRunSettings } from '../config/resolve.js';
import type { RunSettings } from '../config/run-settings.js';
import { Failure } from '../model/failure.js';
import type { BackgroundRecord } from '../model/run/background.js';

interface KeptSettings {
  settings: RunSettings;
  /** What is left out of the settings, and why. */
  warnings: string[];
}

/** The settings that a run was started with, independent of the present configuration. */
export function settingsOf({ options }: BackgroundRecord): KeptSettings {
  const key = JSON.stringify(options);
  const known = resolved.get(key);
  if (known !== undefined) return known;
  const kept = resolveKept(options);
  if (resolved.size >= resolvedMax) resolved.clear();
  resolved.set(key, kept);
  return kept;
}

/** A cache: most runs have the same options. */
const resolved = new Map<string, KeptSettings>();
const resolvedMax = 100;

type Options = BackgroundRecord['options'];

function resolveKept(options: Options): KeptSettings {
  try {
    return { settings: resolve(options), warnings: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // An earlier version may have accepted a pattern that is refused now.
    const warnings: string[] = [];
    return { settings: resolve(withoutRefused(options, warnings)), warnings };
  }
}

function resolve(options: Options): RunSettings {
  const flags = { ...options, projectFile: false };
  return resolveRunSettings({ flags, env: {}, cwd: '/', home: null }).settings;
}

function withoutRefused(options: Options, warnings: string[]): Options {
  const kept = { ...options };
  for (const row of optionRows) {
    const raw = options[row.key];
    if (raw === undefined || (row.kind !== 'regex' && row.kind !== 'list')) continue;
    const isGood = (value: unknown) => {
      const reading = readValue(row, value, { baseDir: '/', confined: false, home: null });
      if ('value' in reading) return true;
      const what = `the setting ${row.key} is ${JSON.stringify(value)}, ${reading.complaint}`;
      warnings.push(`${what}: the run goes on without it; for the next one, ${reading.hint}`);
      return false;
    };
    if (Array.isArray(raw)) kept[row.key] = raw.filter((entry) => isGood([entry]));
    else if (!isGood(raw)) delete kept[row.key];
  }
  return kept;
}
