import { chmodSync } from 'node:fs';
import { guard, withGuardedScratch } from '../background-guard.js';
import { describeLoad, describeMachine, isBusy, renderTable } from '../report.js';
import { runAsUser } from './as-user.js';
import { hangCases } from './cases.js';
import { contendersOf } from './contenders.js';
import type { HangCase } from './hang-case.js';
import { chooseCases, type Options, parseOptions, usage } from './options.js';
import { publish } from './publish.js';
import { type Rights, writeResults } from './results-files.js';
import { type CaseResult, type Conditions, runCase, unplayed } from './run-case.js';
import { type SavedRun, savedCase } from './saved-run.js';
import { quickScale, realScale, wholeScale } from './scale.js';
import { playAll } from './schedule.js';
import { scoreOf } from './score.js';
import { unavailable } from './stage.js';
import { listOfMisses, skippedTable, tableByFamily, tableOfJudges, verdictLine } from './tables.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const isRoot = process.getuid?.() === 0;

const scaleOf = ({ quick, realTime }: Options) => (quick ? quickScale : realTime ? realScale : wholeScale);

/** One that fails is told and not scored; the others go on. */
async function playOne(c: HangCase, conditions: Conditions): Promise<CaseResult> {
  try {
    return await runCase(c, conditions);
  } catch (error) {
    return unplayed(c, `the benchmark failed: ${error instanceof Error ? error.message : error}`);
  }
}

async function playCases(root: string, cases: HangCase[], options: Options): Promise<CaseResult[]> {
  const scale = scaleOf(options);
  const results: CaseResult[] = [];
  await withGuardedScratch(root, async ({ dir, mark }) => {
    // Some cases are other users.
    chmodSync(dir, 0o711);
    const { ways, withHistory } = options;
    const conditions = { scale, ways, withHistory, parent: dir, env: mark };
    await playAll(cases, async (c) => {
      const result = await playOne(c, conditions);
      results.push(result);
      console.log(`${String(results.length).padStart(3)}/${cases.length} ${verdictLine(result)}`);
    });
  });
  const order = new Map(cases.map(({ name }, index) => [name, index]));
  return results.sort((a, b) => (order.get(a.case.name) ?? 0) - (order.get(b.case.name) ?? 0));
}

async function measure(root: string, options: Options): Promise<void> {
  const chosen = chooseCases(hangCases, options);
  const skipped = chosen.flatMap((c) => {
    const why = unavailable(c);
    return why === null ? [] : [{ name: c.name, why }];
  });
  const cases = chosen.filter(({ name }) => !skipped.some((skip) => skip.name === name));
  const scale = scaleOf(options);
  const machine = describeMachine();
  const wasBusy = isBusy();
  const who = isRoot ? 'as root' : 'as a normal user';
  console.log(`${cases.length} cases ${who}, every time constant divided by ${scale.factor}\n${machine}\n`);
  const beganMs = performance.now();
  const results = await playCases(root, cases, options);
  const scores = (['unstuck', ...options.ways] as const).map((judge) => scoreOf(results, judge));
  const about = { machine, wasBusy, loadAfter: describeLoad(), tookMs: performance.now() - beganMs };
  const run: SavedRun = { about, scale: { ...scale }, scores, cases: results.map(savedCase), skipped };
  const contenders = contendersOf(run);
  console.log(`\n${renderTable(tableOfJudges(contenders))}`);
  console.log(renderTable(tableByFamily(contenders)));
  console.log(listOfMisses(results));
  if (skipped.length > 0) console.log(renderTable(skippedTable(skipped)));
  if (options.save) tellSaved(save(root, isRoot ? 'root' : 'user', run));
  if (listOfMisses(results) !== '') process.exitCode = 1;
}

/** Gives the names of the files. */
function save(root: string, rights: Rights, run: SavedRun): string[] {
  return [writeResults(root, rights, run), ...publish(root)];
}

/** What it says that it has saved, it has saved in its copy: here it is for good. */
async function measureAsUser(root: string, args: string[]): Promise<void> {
  const { exitCode, saved } = await runAsUser(root, args);
  process.exitCode = exitCode;
  if (saved !== null) save(root, 'user', saved);
}

/** One line for each. */
function tellSaved(files: string[]): void {
  for (const file of files) console.log(`saved: ${file}`);
}

async function main(root: string, args: string[]): Promise<void> {
  if (args[0] === '--guard') return guard(args[1] ?? '', args[2] ?? '');
  if (args.includes('--help')) return console.log(usage);
  const options = parseOptions(args);
  if (options.publish) return tellSaved(publish(root));
  if (!options.asUser || !isRoot) return measure(root, options);
  chooseCases(hangCases, options);
  return measureAsUser(
    root,
    args.filter((arg) => arg !== '--as-user'),
  );
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
