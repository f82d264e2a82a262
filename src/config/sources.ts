import path from 'node:path';
import { printable } from '../text/printable.js';
import { type ConfigFile, findProjectFile, findUserFile, readConfigFile } from './config-files.js';
import { flagOf, type OptionRow, variableOf } from './option.js';
import { options } from './options.js';
import type { PathRules } from './read-path.js';
import { readValue } from './read-value.js';

/** Unchecked values from one source. */
export interface Source {
  origin: 'flag' | 'environment' | 'project file' | 'user file';
  given: ReadonlyMap<string, unknown>;
  paths: PathRules;
  /** Where a key is given: the flag, the variable or the file. */
  where(key: string): string;
  /** The start of a sentence about the value. */
  nameOf(key: string): string;
}

/** A problem: a sentence, and what to do about it. */
export interface Problem {
  sentence: string;
  hint: string;
}

export interface Surroundings {
  /** Raw values by key; only given ones. */
  flags: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** null: not known. */
  home: string | null;
}

function fromFlags({ flags, cwd, home }: Surroundings): Source {
  const nameOf = (key: string) =>
    flags[key] === false ? flagOf({ key }).replace('--', '--no-') : flagOf({ key });
  return {
    origin: 'flag',
    given: new Map(Object.entries(flags).filter(([, value]) => value !== undefined)),
    paths: { baseDir: cwd, confined: false, home },
    where: nameOf,
    nameOf,
  };
}

/** An empty variable counts as not set. */
function fromEnvironment({ env, cwd, home }: Surroundings): Source {
  const nameOf = (key: string) => variableOf({ key });
  return {
    origin: 'environment',
    given: new Map(options.map((row) => [row.key, env[variableOf(row)]] as const).filter(([, text]) => text)),
    paths: { baseDir: cwd, confined: false, home },
    where: nameOf,
    nameOf,
  };
}

function fromFile(found: ConfigFile, { cwd, home }: Surroundings, problems: Problem[]): Source[] {
  if (!found.found) return [];
  const { role, file } = found;
  const name = printable(file);
  const reading = readConfigFile(found);
  if ('complaint' in reading) {
    problems.push({ sentence: `${name} ${reading.complaint}`, hint: reading.hint });
    return [];
  }
  const isProject = role === 'project file';
  return [
    {
      origin: role,
      given: new Map(reading.entries),
      // A project file may be written by others: it must not name files outside the project.
      paths: { baseDir: isProject ? path.dirname(file) : cwd, confined: isProject, home },
      where: () => file,
      nameOf: (key) => `${name}: ${key}`,
    },
  ];
}

function wantsProjectFile(sources: readonly Source[]): boolean {
  const row = options.find(({ key }) => key === 'projectFile') as OptionRow;
  const source = sources.find(({ given }) => given.has(row.key));
  if (source === undefined) return true;
  const reading = readValue(row, source.given.get(row.key), source.paths);
  return !('value' in reading && reading.value === false);
}

/** All sources, the strongest first, and the files that were searched for. */
export function readSources(
  surroundings: Surroundings,
  problems: Problem[],
): {
  sources: Source[];
  files: ConfigFile[];
} {
  const direct = [fromFlags(surroundings), fromEnvironment(surroundings)];
  const userFile = findUserFile(surroundings.env, surroundings.home);
  const user = userFile === null ? [] : fromFile(userFile, surroundings, problems);
  const projectFile = wantsProjectFile([...direct, ...user]) ? findProjectFile(surroundings.cwd) : null;
  const project = projectFile === null ? [] : fromFile(projectFile, surroundings, problems);
  return {
    sources: [...direct, ...project, ...user],
    files: [projectFile, userFile].filter((file) => file !== null),
  };
}
