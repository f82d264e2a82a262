import { benchAgentStream } from './agent-stream.js';
import { benchBackground } from './background.js';
import { guard } from './background-guard.js';
import { serveAsPm2Client } from './background-pm2-client.js';
import { type ContenderName, contend } from './contender.js';
import { benchHistory } from './history.js';
import { benchHistoryPlayed } from './history-played.js';
import { benchMcp } from './mcp.js';
import { benchNoticesFlood } from './notices-flood.js';
import { benchNoticesMatch } from './notices-match.js';
import { benchOrphans } from './orphans.js';
import { benchPlaces } from './places.js';
import { benchPlacesKills } from './places-kills.js';
import {
  describeLoad,
  describeMachine,
  type Goal,
  goalsTable,
  isBusy,
  renderTable,
  saveReport,
  type Table,
} from './report.js';
import { benchRunCost } from './run-cost.js';
import { benchRunOutput } from './run-output.js';
import { benchRunStart } from './run-start.js';
import { benchSampling } from './sampling.js';
import { benchStartUp } from './start-up.js';
import { benchWatchdog } from './watchdog.js';
import { benchGrowth, benchWhy } from './why.js';

/** Where the checkout is; bench/run.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

type Part = (root: string, quick: boolean) => Promise<{ tables: Table[]; goals: Goal[] }>;

const parts: Record<string, Part> = {
  sampling: (_, quick) => benchSampling(quick ? 5 : 15),
  why: (root, quick) => benchWhy(root, quick ? 3 : 11),
  start: (root, quick) => benchStartUp(root, quick ? 5 : 21),
  growth: (root, quick) => benchGrowth(root, quick ? 3 : 7),
  'run-start': (root, quick) => benchRunStart(root, quick ? 7 : 21),
  'run-output': (root, quick) =>
    benchRunOutput(root, quick ? [200 * 2 ** 20] : [200 * 2 ** 20, 2 ** 30], quick ? 3 : 5),
  'run-cost': (root, quick) => benchRunCost(root, quick ? 20_000 : 60_000),
  background: benchBackground,
  mcp: (root, quick) => benchMcp(root, quick ? 5 : 21, quick ? 1000 : 10_000),
  'agent-stream': (_, quick) => benchAgentStream(quick ? 20e6 : 100e6, quick ? 3 : 7),
  history: (root, quick) => benchHistory(root, quick ? 500 : 10_000, quick ? 21 : 101),
  'history-played': (root) => benchHistoryPlayed(root),
  'places-speed': benchPlaces,
  'places-kills': (_, quick) => benchPlacesKills(quick ? 12 : 200),
  orphans: (_, quick) => benchOrphans(quick ? 5 : 15),
  watchdog: (root, quick) => benchWatchdog(root, quick ? 3_000 : 20_000),
  'notices-match': (root, quick) => benchNoticesMatch(root, quick ? 100 * 2 ** 20 : 2 ** 30, quick ? 5 : 3),
  'notices-flood': (root, quick) => benchNoticesFlood(root, 1_000_000, quick ? 3 : 9),
};

const usage = `npm run bench [-- options] [-- part ...]
  --quick   the short form
  --save    write bench/results
  --help    this
parts: ${Object.keys(parts).join(', ')}, or the first word of several; none: all`;

/** A part by its name; `run` is all that begin with it. */
function partsNamed(name: string): string[] {
  const found = Object.keys(parts).filter((part) => part === name || part.startsWith(`${name}-`));
  if (found.length > 0) return found;
  throw new Error(`no such part: ${name}\n${usage}`);
}

/** Measures, prints, and with --save writes bench/results/<date>.md. */
async function main(root: string, args: string[]): Promise<void> {
  const [first, name, pids = ''] = args;
  if (first === '--contend') return contend(name as ContenderName, pids.split(',').map(Number));
  if (first === '--guard') return guard(name ?? '', pids);
  if (first === '--pm2-client') return serveAsPm2Client(name ?? '');
  if (args.includes('--help')) return console.log(usage);
  const wrong = args.find((arg) => arg.startsWith('--') && arg !== '--quick' && arg !== '--save');
  if (wrong !== undefined) throw new Error(`no such option: ${wrong}\n${usage}`);
  const chosen = args.filter((arg) => !arg.startsWith('--'));
  const names = chosen.length > 0 ? chosen.flatMap(partsNamed) : Object.keys(parts);
  const machine = describeMachine();
  const printed: string[] = [];
  const print = (text: string) => {
    printed.push(text);
    console.log(text);
  };
  print(`# What Unstuck costs\n\n${machine}\n`);
  if (isBusy()) print('The machine was busy with other things: look at the minima.\n');
  const goals: Goal[] = [];
  for (const name of names) {
    const part = await parts[name]?.(root, args.includes('--quick'));
    for (const table of part?.tables ?? []) print(renderTable(table));
    goals.push(...(part?.goals ?? []));
  }
  if (goals.length > 0) print(renderTable(goalsTable(goals)));
  print(`Load after the run: ${describeLoad()}`);
  if (args.includes('--save')) console.log(`saved: ${saveReport(root, printed.join('\n'))}`);
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2));
