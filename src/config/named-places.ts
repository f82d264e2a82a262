import { printable } from '../text/printable.js';
import { findUserFile, readConfigFile } from './config-files.js';
import type { Problem } from './sources.js';

const namePattern = /^[A-Za-z][\w.-]{0,63}$/;

/** Whether a key of a file names places: `"places": {"build": "ssh:ci@build"}`, or `"places.build": "ssh:ci@build"`. */
export function isPlacesKey(key: string): boolean {
  return key === 'places' || key.startsWith('places.');
}

/** Places of the user's configuration by name. What is wrong is left out; `problemsOfPlaces` reports it. */
export function namedPlaces(env: NodeJS.ProcessEnv, home: string | null): Map<string, string> {
  const found = findUserFile(env, home);
  const reading = found?.found ? readConfigFile(found) : null;
  if (reading === null || !('entries' in reading)) return new Map();
  return new Map(entriesOf(reading.entries).filter(isGood));
}

/** What is wrong with the places of a file. */
export function problemsOfPlaces(
  given: ReadonlyMap<string, unknown>,
  origin: string,
  where: string,
): Problem[] {
  const entries = entriesOf([...given].filter(([key]) => isPlacesKey(key)));
  if (entries.length === 0) return [];
  if (origin !== 'user file') {
    // A place runs a client on this machine, and a cloned repository may contain a project file.
    const hint = 'remove it, or move it to the user file';
    return [{ sentence: `${printable(where)}: places are not allowed here`, hint }];
  }
  return entries
    .filter((entry) => !isGood(entry))
    .map(([name]) => ({
      sentence: `${printable(where)}: places.${printable(name)} is not a name with an address`,
      hint: 'write it like this: "places": {"build": "ssh:ci@build"}',
    }));
}

function entriesOf(entries: readonly [string, unknown][]): [string, unknown][] {
  return entries.flatMap(([key, value]): [string, unknown][] => {
    if (key.startsWith('places.')) return [[key.slice('places.'.length), value]];
    if (key !== 'places') return [];
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isTable ? Object.entries(value) : [['', value]];
  });
}

function isGood(entry: [string, unknown]): entry is [string, string] {
  return namePattern.test(entry[0]) && typeof entry[1] === 'string';
}
