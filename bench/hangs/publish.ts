import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from './chart.js';
import { publishedContenders, renderPublished, replacePublished, type Source } from './published.js';
import { readResults, resultsOf } from './results-files.js';

const picture = 'docs/hangs.svg';
export const page = 'docs/benchmarks.md';

/** The newest run as root and the newest as a normal user, as far as they are there. */
export function newestSources(root: string): Source[] {
  return (['root', 'user'] as const).flatMap((rights) => {
    const file = resultsOf(root, rights).at(-1);
    return file === undefined ? [] : [{ rights, file, run: readResults(root, file) }];
  });
}

/** Makes the picture and the tables of the docs from what was saved; gives the names of the files. */
export function publish(root: string): string[] {
  const sources = newestSources(root);
  if (sources.length === 0)
    throw new Error('nothing is saved in bench/results: npm run bench:hangs -- --save');
  const before = readFileSync(join(root, page), 'utf8');
  writeFileSync(join(root, page), replacePublished(before, renderPublished(sources)));
  writeFileSync(join(root, picture), drawChart(publishedContenders(sources)));
  return [picture, page];
}
