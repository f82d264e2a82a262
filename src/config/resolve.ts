import path from 'node:path';
import { Failure } from '../model/failure.js';
import { defaultPreset, presets, type Thresholds } from '../model/run/health.js';
import type { ProjectLimits } from '../model/run/run.js';
import { printable } from '../text/printable.js';
import type { ConfigFile } from './config-files.js';
import { isPlacesKey, problemsOfPlaces } from './named-places.js';
import { nearest } from './nearest.js';
import { flagOf, type OptionRow, type OptionValue } from './option.js';
import { ending, type OptionKey, options, type Values } from './options.js';
import { type PrintedValue, printValue } from './print-value.js';
import { readValue } from './read-value.js';
import { type RunSettings, toRunSettings } from './run-settings.js';
import { type Problem, readSources, type Source, type Surroundings } from './sources.js';

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
function projectLimits(origins: readonly Origin[]): ProjectLimits | null {
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
  const list = settings.map(({ key, value }) => `${flagOf({ key }).slice(2)} ${cutValue(value)}`);
  const { dir, base } = path.parse(first.where);
  return {
    file: first.where,
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, value])),
    message: printable(`${base} in ${dir} sets ${list.join(', ')}; to ignore it: --no-project-file`),
  };
}

function cutValue(value: PrintedValue): string {
  const text = String(value);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}

/** One value and its source. */
interface Given {
  value: PrintedValue;
  origin: Source['origin'] | 'preset' | 'default';
  /** Name of the flag, the variable, the file or the preset. */
  where: string;
}

/** A setting and the source of its value. */
export interface SettingOrigin extends Given {
  key: OptionKey;
  /** Values of weaker sources, the strongest first. */
  shadowed: Given[];
}

export interface ResolvedSettings {
  settings: RunSettings;
  /** null: no project file, or it sets nothing that can end the command. */
  projectLimits: ProjectLimits | null;
  origins: SettingOrigin[];
  files: ConfigFile[];
}

const shownLengthMax = 80;
const shownProblemsMax = 20;

function shown(raw: unknown): string {
  const text = printable(JSON.stringify(raw) ?? String(raw));
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text;
}

function unknownKeys(source: Source): Problem[] {
  const names = options.map(({ key }) => key);
  return [...source.given.keys()]
    .filter((key) => !names.some((name) => name === key) && !isPlacesKey(key))
    .map((key) => {
      const near = nearest(key, names);
      const where = source.origin === 'flag' ? 'options' : printable(source.where(key));
      return {
        sentence: `${where}: no such setting: ${shown(key)}`,
        hint: near === null ? 'list the settings with: unstuck config' : `did you mean ${shown(near)}?`,
      };
    });
}

/** Values of one option in all sources, the strongest first; errors are added to `problems`. */
function readAll(row: OptionRow, sources: readonly Source[], problems: Problem[]): [OptionValue, Given][] {
  return sources.flatMap((source): [OptionValue, Given][] => {
    if (!source.given.has(row.key)) return [];
    const raw = source.given.get(row.key);
    if (source.origin === 'project file' && row.kind === 'boolean' && row.notInProjectFile) {
      problems.push({
        sentence: `${source.nameOf(row.key)} is not allowed in a project file`,
        hint: 'remove it, or move it to the user file',
      });
      return [];
    }
    const reading = readValue(row, raw, source.paths);
    if ('value' in reading) {
      const value = printValue(row, reading.value);
      return [[reading.value, { value, origin: source.origin, where: source.where(row.key) }]];
    }
    problems.push({
      sentence: `${source.nameOf(row.key)} is ${shown(raw)}, ${reading.complaint}`,
      hint: reading.hint,
    });
    return [];
  });
}

function fallback(row: OptionRow, preset: Values['preset']): [OptionValue, Given] {
  if ('threshold' in row) {
    const value = presets[preset][row.threshold];
    return [value, { value: printValue(row, value), origin: 'preset', where: preset }];
  }
  const reading = readValue(row, row.default, { baseDir: '/', confined: false, home: null });
  if (!('value' in reading)) throw new Error(`the default of ${row.key} is wrong: ${reading.complaint}`);
  return [reading.value, { value: printValue(row, reading.value), origin: 'default', where: '' }];
}

function checkTogether({ sample, activityWindow }: Values): Problem[] {
  if (activityWindow >= sample) return [];
  return [
    {
      sentence: `activityWindow (${activityWindow} ms) is shorter than sample (${sample} ms)`,
      hint: 'a window must hold at least one sample: make it longer or sample more often',
    },
  ];
}

function asFailure(problems: readonly Problem[]): Failure {
  const [first, ...more] = problems as [Problem, ...Problem[]];
  if (more.length === 0) return new Failure('bad-config', first.sentence, first.hint);
  const lines = problems.slice(0, shownProblemsMax).map(({ sentence, hint }) => `  ${sentence} (${hint})`);
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`  and ${left} more`);
  return new Failure(
    'bad-config',
    `${problems.length} settings are wrong:\n${lines.join('\n')}`,
    'see the valid values with: unstuck config --explain KEY',
  );
}

/** Precedence: flags, environment, project file, user file, defaults. All problems are reported at once. */
export function resolveRunSettings(surroundings: Surroundings): ResolvedSettings {
  const problems: Problem[] = [];
  const { sources, files } = readSources(surroundings, problems);
  problems.push(...sources.flatMap(unknownKeys));
  problems.push(
    ...sources.flatMap(({ given, origin, where }) => problemsOfPlaces(given, origin, where('places'))),
  );
  const read = new Map(options.map((row) => [row.key, readAll(row, sources, problems)]));
  const preset = (read.get('preset')?.[0]?.[0] ?? defaultPreset) as Values['preset'];

  const values: Partial<Record<OptionKey, OptionValue>> = {};
  const thresholds: Thresholds = { ...presets[preset] };
  const origins = options.map((row): SettingOrigin => {
    const all = [...(read.get(row.key) ?? []), fallback(row, preset)];
    const [value, strongest] = all[0] as [OptionValue, Given];
    values[row.key] = value;
    if ('threshold' in row) thresholds[row.threshold] = value as number;
    return { key: row.key, ...strongest, shadowed: all.slice(1).map(([, given]) => given) };
  });
  const checked = values as Values;
  problems.push(...checkTogether(checked));
  if (problems.length > 0) throw asFailure(problems);
  return {
    settings: toRunSettings(checked, thresholds),
    projectLimits: projectLimits(origins),
    origins,
    files,
  };
}
