import type { Table } from '../report.js';
import type { Played, SuiteResult } from './compare.js';
import type { Missing } from './suite.js';

export const seconds = ({ ms }: Played): string => `${(ms / 1000).toFixed(1)} s`;

/** Such as `312 ok, 13 skipped`. */
export function counts({ statuses, end }: Played): string {
  const tally = new Map<string, number>();
  for (const status of statuses.values()) tally.set(status, (tally.get(status) ?? 0) + 1);
  const words = [...tally].map(([status, count]) => `${count} ${status}`);
  return [...words, ...(end === '0' ? [] : [`exit ${end}`])].join(', ');
}

export function suitesTable(results: readonly SuiteResult[]): Table {
  const ways = results[0]?.ours.map(({ way }) => way) ?? [];
  return {
    title: 'Suites of others below unstuck run',
    head: [
      'suite',
      'of',
      'plainly',
      '',
      ...ways.flatMap((way) => [way, 'time', 'different', 'alarms', 'silences']),
    ],
    rows: results.map(({ suite, plain, ours }) => [
      suite.name,
      suite.version,
      plain[0] === undefined ? '' : counts(plain[0]),
      plain[0] === undefined ? '' : seconds(plain[0]),
      ...ours.flatMap(({ played, different }) => [
        counts(played),
        seconds(played),
        String(different.length),
        String(played.reports.alarms.length),
        String(played.reports.silences.length),
      ]),
    ]),
  };
}

export function missingTable(missing: readonly Missing[]): Table {
  return { title: 'Not here', head: ['suite', 'why'], rows: missing.map(({ name, why }) => [name, why]) };
}
