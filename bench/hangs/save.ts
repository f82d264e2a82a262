import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from './chart.js';
import type { CaseResult } from './run-case.js';
import type { Scale } from './scale.js';
import type { Score } from './score.js';

export interface Saved {
  results: CaseResult[];
  scores: Score[];
  skipped: { name: string; why: string }[];
  scale: Scale;
  about: { machine: string; wasBusy: boolean; loadAfter: string; tookMs: number };
}

/** No path of this machine: of a case only its name and its label, of an answer only what is compared. */
function plain({ case: c, unstuck, ways, watchedMs, broken }: CaseResult) {
  const { alarmMs, kind, health, confidence, costMs } = unstuck;
  return {
    name: c.name,
    family: c.family,
    label: c.label,
    actor: c.actor,
    kinds: c.kinds.join(' or '),
    watchedMs: Math.round(watchedMs),
    broken: broken === null ? null : broken.split(':')[0],
    unstuck: { alarmMs: rounded(alarmMs), kind, health, confidence, costMs: Math.round(costMs) },
    ways: Object.fromEntries(
      Object.entries(ways).map(([name, way]) => [name, { alarmMs: rounded(way.alarmMs), claim: way.claim }]),
    ),
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** The results as data and as a picture; gives the names of the files. */
export function saveResults(root: string, { results, scores, skipped, scale, about }: Saved): string[] {
  const data = `bench/results/${new Date().toISOString().slice(0, 10)}-hangs.json`;
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const content = { about, scale, scores, cases: results.map(plain), skipped };
  writeFileSync(join(root, data), `${JSON.stringify(content, null, 2)}\n`);
  const picture = 'docs/hangs.svg';
  writeFileSync(join(root, picture), drawChart(scores));
  return [data, picture];
}
