import fs from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../report.js';
import type { FaultRun } from './faults.js';

/** Between these lines the script writes. */
const [begin, end] = [
  '<!-- made by npm run bench:fleet -- --save: begin -->',
  '<!-- made by npm run bench:fleet -- --save: end -->',
];
const page = 'docs/fleet.md';
const saved = 'bench/results/fleet-faults.json';

const columns: Record<string, (run: FaultRun) => number | string> = {
  servers: ({ servers }) => servers,
  seconds: ({ seconds }) => seconds,
  jobs: ({ accepted }) => accepted,
  notices: ({ noticed }) => noticed,
  'daemons killed': ({ daemonKills }) => daemonKills,
  'servers killed (leader)': ({ serverKills, leaderKills }) => `${serverKills} (${leaderKills})`,
  stalls: ({ stalls }) => stalls,
  'cuts (long)': ({ cuts, longCuts }) => `${cuts} (${longCuts})`,
  'jobs of a host given up (queued again)': ({ givenUp, again }) => `${givenUp ?? 0} (${again})`,
  'all over after': ({ healedS }) => `${healedS} s`,
  deviations: ({ faults }) => faults,
};

/** Adds a run to the saved ones, and makes the table of the page from all of them. */
export function publishFaults(root: string, run: FaultRun): void {
  const file = join(root, saved);
  const before = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as FaultRun[]) : [];
  const runs = [...before, run];
  fs.writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
  const rows = runs.map((one) => Object.values(columns).map((cell) => String(cell(one))));
  const table = renderTable({ title: '', head: Object.keys(columns), rows })
    .split('\n')
    .slice(2)
    .join('\n');
  const text = fs.readFileSync(join(root, page), 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has lost the lines "${begin}" and "${end}"`);
  fs.writeFileSync(join(root, page), `${text.slice(0, from + begin.length)}\n\n${table}\n${text.slice(to)}`);
}
