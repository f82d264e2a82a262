import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hookAgents } from '../../src/model/tool.js';
import { benchAgents } from '../agents/cli/index.js';
import { defaultFolder, install } from '../agents/install.js';
import { describeMachine, renderTable } from '../report.js';
import { withScratch } from '../scratch.js';
import { playHooked } from './play.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const usage = `npm run bench:hooks [-- options]
  --cli DIR      where the agents are installed, and reused the next time
  --only NAME    agents and scenes with this in their name; given more than once, all must match
  --without      also without the hook, until the agent ends by itself or after the limit
  --keep DIR     keep what each run printed
  --help         this

A task whose tool hangs, with \`unstuck hook install AGENT --on-stuck stop\`: published agents against a scripted API on
loopback, without any other network. Needs root (namespaces). Exit code 1: one took a minute or longer, or got no hint.`;

const limitS = 240;
const tookSMax = 60;

const program = (name: string): string =>
  fileURLToPath(new URL(`../agents/programs/${name}`, import.meta.url));

const scenes = [
  { name: 'deadlock', command: `python3 ${program('dead.py')}; echo "ended with $?"` },
  { name: 'question', command: `python3 ${program('ask.py')}; echo "ended with $?"` },
  // A change of the directory is refused by some agents.
  { name: 'dev server', command: `npm --prefix ${program('dev')} run dev` },
];

async function main(root: string): Promise<void> {
  const { values } = parseArgs({
    options: {
      cli: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      without: { type: 'boolean', default: false },
      keep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  if (process.getuid?.() !== 0) return console.log('skipped: root is needed for namespaces');
  const agents = benchAgents.filter(({ name }) => (hookAgents as readonly string[]).includes(name));
  const rows: string[][] = [];
  const perform = async (dir: string): Promise<void> => {
    for (const agent of agents)
      for (const { name, command } of scenes)
        for (const isHooked of values.without ? [true, false] : [true]) {
          if (!values.only.every((part) => `${agent.name} ${name}`.includes(part))) continue;
          const installed = await install(
            resolve(values.cli ?? defaultFolder()),
            agent.name,
            agent.packages,
            console.log,
          );
          if ('problem' in installed) return console.log(`skipped: ${installed.problem}`);
          const place = join(dir, `${agent.name}-${name}-${isHooked}`.replaceAll(' ', '-'));
          const stage = { root, modules: installed.modules, dir: place, command, isHooked, limitS };
          const { tookS, exitCode, hint } = await playHooked(agent, stage);
          const isWrong = isHooked && (hint === null || tookS === null || tookS >= tookSMax);
          if (isWrong) process.exitCode = 1;
          const took = tookS === null ? `more than ${limitS} s` : `${tookS.toFixed(0)} s`;
          const row = [agent.name, name, isHooked ? 'yes' : 'no', took, `${exitCode}`, hint ?? '-'];
          console.log(row.join(' | '));
          rows.push(row);
        }
  };
  await (values.keep === undefined ? withScratch(root, perform) : perform(resolve(values.keep)));
  const head = ['agent', 'tool', 'hook', 'from the tool to the end', 'exit', 'what the model got'];
  console.log(`\n${renderTable({ title: 'Hung tools with the hook', note: describeMachine(), head, rows })}`);
}

await main(__UNSTUCK_ROOT__).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
