import type { Recogniser } from './recogniser.js';
import { buildTools } from './table/builds.js';
import { containers } from './table/containers.js';
import { generic } from './table/generic.js';
import { packageManagers } from './table/packages.js';
import { testRunners } from './table/tests.js';
import { transfers } from './table/transfers.js';

/** The first row that matches a line is used. */
export const recognisers: readonly Recogniser[] = [
  ...testRunners,
  ...packageManagers,
  ...containers,
  ...buildTools,
  ...transfers,
  ...generic,
];

/**
 * Prefixes that other programs put before a tool's own line: the build step of a container with its seconds, a
 * timestamp.
 */
const wrapping =
  /^(?:#\d{1,4} \d{1,6}\.\d{1,4} |\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,Z:+]{0,16}\]?:? (?!\())/;

/**
 * All rows in one expression that does not show which row matches: most lines match none, and are rejected in a tenth
 * of the time.
 */
const anyRow = new RegExp(
  recognisers.map(({ pattern }) => pattern.source.replace(/\(\?<\w+>/g, '(?:')).join('|'),
);

export interface Recognised {
  row: Recogniser;
  match: RegExpExecArray;
}

export function recognise(line: string): Recognised | null {
  const own = line.replace(wrapping, '');
  if (!anyRow.test(own)) return null;
  for (const row of recognisers) {
    const match = row.pattern.exec(own);
    if (match !== null) return { row, match };
  }
  return null;
}
