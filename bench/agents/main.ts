import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeMachine, renderTable } from '../report.js';
import { withScratch } from '../scratch.js';
import { type Cast, castOf, folderOf } from './cast.js';
import { faultOf } from './check.js';
import type { BenchAgent } from './cli/agent.js';
import { install } from './install.js';
import { type Options, parseOptions, usage } from './options.js';
import { type Played, play } from './play.js';
import { recordStream } from './record.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

interface Row extends Cast {
  played: Played;
  fault: string | null;
}

const report = (text: string): void => console.error(text);

function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'root is needed for network namespaces';
  if (spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    return 'network namespaces need the programs unshare and ip, and the right to use them';
  return null;
}

function cellsOf({ agent, version, scene, hidden, isText, played, fault }: Row): string[] {
  const { reportedS, modelS, outcome, exitCode } = played;
  const shown = modelS > 0 ? `waits=model(${Math.round(modelS)}s)` : 'nothing';
  const reported = reportedS === null ? shown : `${played.names.join(', ')} after ${reportedS.toFixed(0)} s`;
  return [
    `${agent.name} ${version}${isText ? ', text' : ''}`,
    scene.name,
    hidden ? 'hidden' : 'visible',
    reported,
    outcome === 'exited' ? `exit ${exitCode}` : outcome,
    fault ?? 'right',
  ];
}

function jsonOf({ agent, version, scene, hidden, isText, played, fault }: Row): string {
  const { raw, shown, ...rest } = played;
  const stage = { agent: agent.name, version, scene: scene.name, hidden, text: isText };
  return JSON.stringify({ ...stage, right: fault === null, fault, shown: shown.at(-1) ?? null, ...rest });
}

/** The agents that are installed, or could be. */
async function installAll(agents: Iterable<BenchAgent>, folder: string): Promise<Map<BenchAgent, string>> {
  const installed = new Map<BenchAgent, string>();
  for (const agent of agents) {
    const made = await install(folder, agent.name, agent.packages, report);
    if ('problem' in made) report(`skipped: ${agent.name}: ${made.problem}`);
    else installed.set(agent, made.modules);
  }
  return installed;
}

/** Several at once: most of the time they wait. */
async function playAll(cast: Cast[], jobs: number, playOne: (one: Cast) => Promise<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  const queue = [...cast];
  const work = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const row = await playOne(one);
      rows.push(row);
      report(`${rows.length} of ${cast.length}: ${cellsOf(row).join(' | ')}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return rows.sort((one, other) => cast.findIndex(isSame(one)) - cast.findIndex(isSame(other)));
}

const isSame =
  ({ agent, scene, hidden, isText }: Cast) =>
  (other: Cast): boolean =>
    other.agent === agent && other.scene === scene && other.hidden === hidden && other.isText === isText;

async function perform(root: string, dir: string, options: Options): Promise<Row[]> {
  const wanted = castOf(options.only);
  const installed = await installAll(new Set(wanted.map(({ agent }) => agent)), options.cli);
  const cast = wanted.filter(({ agent }) => installed.has(agent));
  return playAll(cast, options.jobs, async (one) => {
    const modules = installed.get(one.agent) ?? '';
    const stage = { root, modules, dir: join(dir, folderOf(one)), hidden: one.hidden, isText: one.isText };
    const played = await play(one.agent, one.scene, stage);
    const fault = faultOf(one.agent, one.scene, one.isText, played);
    if (options.record && one.scene.stage === 'stream' && fault === null)
      recordStream(root, one, played.raw, stage.dir);
    if (options.json) console.log(jsonOf({ ...one, played, fault }));
    return { ...one, played, fault };
  });
}

async function main(root: string, args: string[]): Promise<void> {
  const options = parseOptions(args);
  if (options.help) return console.log(usage);
  if (options.list) return console.log(castOf(options.only).map(folderOf).join('\n'));
  const reason = whyNot();
  if (reason !== null) return console.log(`skipped: ${reason}`);
  const rows = await (options.keep === null
    ? withScratch(root, (dir) => perform(root, dir, options))
    : perform(root, options.keep, options));
  if (rows.length === 0) return console.log('skipped: no agent is installed, or nothing matches --only');
  const head = ['agent', 'scene', 'API', 'reported', 'end with --kill-stuck part', 'verdict'];
  if (!options.json)
    console.log(
      `\n${renderTable({ title: 'Real agents', note: describeMachine(), head, rows: rows.map(cellsOf) })}`,
    );
  if (rows.some(({ fault }) => fault !== null)) process.exitCode = 1;
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
});
