import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { guard, withGuardedScratch } from '../background-guard.js';
import { flagsOf, scaleBy } from '../hangs/scale.js';
import { describeMachine, renderTable } from '../report.js';
import { bashNames, findBashSuite } from './bash.js';
import { findBusyboxSuite } from './busybox.js';
import { differences, type SuiteResult, tooSlow } from './compare.js';
import { coreutilsNames, findCoreutilsSuites } from './coreutils.js';
import { fetchSource, type Source } from './debian-source.js';
import { type Conditions, play } from './play.js';
import { findPythonSuites } from './python.js';
import type { Found, Suite } from './suite.js';
import { counts, missingTable, seconds, suitesTable } from './tables.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const usage = `npm run test:suites [-- options]
  --only NAME     suites with this in their name; may be given more than once
  --python FILE   the Python whose tests are run
  --busybox DIR   the source of busybox, whose tests are run with the busybox that is installed
  --bash DIR      the source of bash, whose tests are run with the bash that is installed; default: Debian's, fetched
  --coreutils DIR the source of coreutils, whose tests are run with its own build; default: Debian's, fetched and compiled
  --bound SECONDS for each run of a suite; 300
  --help          this`;

const factor = 15;
/** A test whose status differs may vary by itself: so often the suite is run plainly then. */
const plainRunsMax = 3;

/** Ways to run a suite below Unstuck: options by name. */
const ways = {
  'default settings': [],
  [`times divided by ${factor}`]: flagsOf(scaleBy(factor, 0, 0)),
};

/** null: it takes too long by itself. */
async function playSuite(suite: Suite, conditions: Conditions): Promise<SuiteResult | null> {
  const playAs = async (way: string, flags: string[] | null) => {
    const played = await play(suite, flags, conditions);
    console.log(`${suite.name}, ${way}: ${counts(played)}, ${seconds(played)}`);
    return played;
  };
  const first = await playAs('plainly', null);
  if (first.end === tooSlow) return null;
  const plain = [first];
  const ours: SuiteResult['ours'] = [];
  for (const [way, flags] of Object.entries(ways)) {
    const played = await playAs(way, flags);
    const isDifferent = () => differences(plain, played).length > 0;
    while (isDifferent() && plain.length < plainRunsMax) plain.push(await playAs('plainly again', null));
    ours.push({ way, played, different: [] });
  }
  // Every plain run counts for every way.
  return { suite, plain, ours: ours.map((one) => ({ ...one, different: differences(plain, one.played) })) };
}

function printFaults({ suite, ours }: SuiteResult): boolean {
  for (const { way, played, different } of ours) {
    const where = `${suite.name}, ${way}`;
    for (const { test, plain, ours: own } of different) {
      console.log(`  DIFFERENT ${where}: ${test}: ${own}, plainly ${plain}`);
    }
    const { alarms, silences } = played.reports;
    for (const alarm of alarms) console.log(`  ALARM ${where}: ${alarm}`);
    for (const silence of silences) console.log(`  silence ${where}: ${silence}`);
  }
  return ours.some(({ played, different }) => different.length + played.reports.alarms.length > 0);
}

async function main(root: string, args: string[]): Promise<void> {
  if (args[0] === '--guard') return guard(args[1] ?? '', args[2] ?? '');
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      python: { type: 'string', multiple: true, default: ['python3', '/usr/bin/python3'] },
      busybox: { type: 'string' },
      bash: { type: 'string' },
      coreutils: { type: 'string' },
      bound: { type: 'string', default: '300' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const isChosen = ({ name }: { name: string }) =>
    values.only.length === 0 || values.only.some((part) => name.includes(part));
  const cache = join(root, 'node_modules/.cache/suites');
  /** What is not chosen is not fetched. */
  const fromSources = (name: 'bash' | 'coreutils', names: string[], find: (source: Source) => Found) => {
    if (!names.some((suite) => isChosen({ name: suite }))) return [];
    const given = values[name];
    return [find(given === undefined ? fetchSource(name, cache) : { dir: resolve(given), version: 'given' })];
  };
  const found = [
    findPythonSuites(values.python),
    findBusyboxSuite(values.busybox),
    ...fromSources('bash', bashNames, findBashSuite),
    ...fromSources('coreutils', coreutilsNames, findCoreutilsSuites),
  ];
  const suites = found.flatMap((one) => one.suites).filter(isChosen);
  const missing = found.flatMap((one) => one.missing).filter(isChosen);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}\n`);
  const results: SuiteResult[] = [];
  await withGuardedScratch(root, async (scratch) => {
    for (const suite of suites) {
      const result = await playSuite(suite, { root, scratch, boundMs: Number(values.bound) * 1000 });
      if (result === null)
        missing.push({ name: suite.name, why: `takes more than ${values.bound} s by itself` });
      else results.push(result);
      if (result !== null && printFaults(result)) process.exitCode = 1;
    }
  });
  console.log(`\n${renderTable(suitesTable(results))}`);
  if (missing.length > 0) console.log(renderTable(missingTable(missing)));
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
