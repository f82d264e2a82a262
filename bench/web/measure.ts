import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { Goal } from '../report.js';
import type { Bed } from './bed.js';
import { longLog, printer } from './long-log.js';
import { below, percent, residentMb } from './usage.js';

export interface Wanted {
  runs: number;
  seconds: number;
  logMb: number;
}

export interface Measured {
  /** Runs that there were. */
  runs: number;
  goals: Goal[];
  rows: string[][];
}

/** A silent run is looked into after 5, 20 and 80 seconds more, and then every 5 minutes: all of them at about the same times. */
const youngMs = 130_000;
/** Until what has begun is over. */
const settleMs = 10_000;
const goals = { firstPageKb: 150, browser: 10, more: 1, left: 0.2 };

const core = (value: number) => `${value.toFixed(2)} % of a core`;

function packedKb(root: string): { first: number; terminal: number } {
  const folder = join(root, 'dist/web');
  const names = readdirSync(folder);
  const sum = (chosen: readonly string[]) =>
    chosen.reduce(
      (bytes, name) => bytes + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
      0,
    ) / 1000;
  const late = names.filter((name) => name.startsWith('terminal'));
  return { first: sum(names.filter((name) => !late.includes(name))), terminal: sum(late) };
}

/** Collects, in the page, how old each line of the run `clock` is when it is shown. */
const collectAges = `window.ages = []; let last = '';
new MutationObserver(() => {
  const at = document.body.textContent.match(/at (\\d{13})/)?.[1];
  if (at === undefined || at === last) return;
  if (last !== '') window.ages.push(Date.now() - Number(at));
  last = at;
}).observe(document.body, { subtree: true, childList: true, characterData: true });`;

async function updateAges(page: Page, seconds: number): Promise<string[]> {
  await page.getByLabel('Search runs').fill('clock');
  await page.evaluate(collectAges);
  await delay(seconds * 1000);
  const ages = (await page.evaluate('window.ages')) as number[];
  const sorted = ages.toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]} ms`;
  return [`a line is shown after its print, ${ages.length} lines: median, most`, `${at(0.5)}, ${at(1)}`];
}

/** Everything is CPU time: the machine may be busy. The daemon is measured before, with and after the page. */
export async function measure(
  bed: Bed,
  { runs, seconds, logMb }: Wanted,
  { root, progress }: { root: string; progress: (what: string) => void },
): Promise<Measured> {
  const size = packedKb(root);
  progress(`printing a log of ${logMb} MB`);
  // Before the others: live runs share the disk, so the log of one among a thousand is cut.
  const log = await bed.startAndEnd('log', printer(logMb), { logCap: 0 });
  progress('starting the runs');
  const started = await bed.startMany(runs, (count) => progress(`${count} runs started`));
  const daemon = bed.daemonPid;
  progress('waiting until the runs are no longer young');
  await delay(youngMs);
  progress('the daemon, no page open');
  const before = await percent(() => [daemon], seconds);
  const { url, pid: web } = await bed.serve();
  const page = await bed.browse();
  const beginMs = performance.now();
  await page.goto(url);
  await page.locator('.row[aria-rowindex]').first().waitFor();
  const firstMs = performance.now() - beginMs;
  await delay(settleMs);
  progress('all runs on a page');
  const [open, server, browser] = await Promise.all([
    percent(() => [daemon], seconds),
    percent(() => [web], seconds),
    percent(() => below(process.pid, 'chrom'), seconds),
  ]);
  progress('how late the page is');
  const ages = await updateAges(page, seconds / 2);
  progress(`a log of ${logMb} MB`);
  const link = `${new URL(url).origin}/#/run/${log}`;
  const long = await longLog(page, { link, web, daemon });
  await page.close();
  await delay(settleMs);
  progress('the daemon, page closed again');
  const after = await percent(() => [daemon], seconds);
  const alone = (before + after) / 2;
  const goal = (what: string, most: number, value: number, words = core): Goal => {
    return { what, target: `under ${words(most)}`, measured: words(value), met: value < most };
  };
  const kb = (value: number) => `${value.toFixed(1)} kB`;
  return {
    runs: started,
    goals: [
      goal(`browser, all its processes, ${started} runs on the page`, goals.browser, browser),
      goal('daemon, more because of an open page', goals.more, open - alone),
      goal('daemon, more after the page than before it', goals.left, after - before),
      goal('first page, gzipped', goals.firstPageKb, size.first, kb),
    ],
    rows: [
      ['daemon: before, with and after the page', [before, open, after].map(core).join(', ')],
      ['unstuck web, all runs on the page', `${core(server)}, ${residentMb(web)}`],
      ['login to first runs', `${Math.round(firstMs)} ms`],
      ages,
      ...long,
      ['terminal, gzipped, loaded when it is opened', kb(size.terminal)],
    ],
  };
}
