// The part of docs/benchmarks.md that is made from saved runs: every number in it, and every miss by name.
import { formatDuration } from '../../src/text/duration.js';
import { replacePart } from '../published-part.js';
import { bareTable } from '../report.js';
import { type Contender, contendersOf, withNormalUser } from './contenders.js';
import type { Rights } from './results-files.js';
import type { SavedRun } from './saved-run.js';
import { tableByFamily, tableOfJudges } from './tables.js';

/** A saved run and the file it is in. */
export interface Source {
  rights: Rights;
  file: string;
  run: SavedRun;
}

const asWhom: Record<Rights, string> = { root: 'as root', user: 'as a normal user' };

/** Root's first, if there is one. */
export function publishedContenders([first, second]: Source[]): Contender[] {
  if (first === undefined) return [];
  return second === undefined ? contendersOf(first.run) : withNormalUser(first.run, second.run);
}

function whatWasRun({ rights, file, run }: Source): string {
  const scored = run.cases.filter(({ broken }) => broken === null).length;
  const { tookMs, machine } = run.about;
  return `- ${scored} programs ${asWhom[rights]}, in ${formatDuration(tookMs)}: \`${file}\` (${machine})`;
}

function nameList(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** What was wrong, not scored or left out: by name, whatever it is. */
function misses({ rights, run }: Source): string {
  const wrong = run.cases.filter(({ fault }) => fault !== undefined);
  const broken = run.cases.flatMap(({ name, broken: why }) => (why === null ? [] : [{ name, why }]));
  const leftOut = run.skipped.map(({ name }) => name);
  return [
    `**What Unstuck got wrong** ${asWhom[rights]}: ${wrong.length === 0 ? 'nothing.' : ''}`.trimEnd(),
    ...wrong.map(
      ({ name, label, kinds, fault, unstuck: { health, confidence, kind } }) =>
        `- \`${name}\` (${label}; ${kinds}): ${fault}. It said ${health}, ${confidence}, ${kind ?? 'no verdict'}`,
    ),
    ...(broken.length === 0
      ? []
      : [`Not scored: ${broken.map(({ name, why }) => `\`${name}\` (${why})`).join(', ')}.`]),
    ...(leftOut.length === 0
      ? []
      : [`Left out, as it needs root or what is not installed: ${nameList(leftOut)}.`]),
  ].join('\n');
}

/** Root's run first. */
export function renderPublished(sources: Source[]): string {
  const contenders = publishedContenders(sources);
  return [
    sources.map(whatWasRun).join('\n'),
    bareTable(tableOfJudges(contenders)),
    bareTable(tableByFamily(contenders)),
    ...sources.map(misses),
  ].join('\n\n');
}

/** The page with this part in the place of what was there. */
export function replacePublished(page: string, published: string): string {
  return replacePart(page, 'npm run bench:hangs -- --save', published);
}
