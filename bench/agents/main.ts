import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeMachine, renderTable } from '../report.js';
import { withScratch } from '../scratch.js';
import { type Cast, castOf, folderOf, isWanted } from './cast.js';
import { faultOf } from './check.js';
import type { BenchAgent } from './cli/agent.js';
import { inspector, playInspector } from './inspector.js';
import { install, parsePackage } from './install.js';
import { mcpClients, mcpScenes, playMcp } from './mcp.js';
import { type Options, parseOptions, usage } from './options.js';
import { type Played, play } from './play.js';
import { recordStream } from './record.js';
import { playSdk, sdkExamples } from './sdk.js';

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

/** What is installed, or could be. */
async function installAll<T extends Pick<BenchAgent, 'packages'> & { name: string }>(
  wanted: Iterable<T>,
  folder: string,
): Promise<Map<T, string>> {
  const installed = new Map<T, string>();
  for (const one of wanted) {
    const made = await install(folder, one.name, one.packages, report);
    if ('problem' in made) report(`skipped: ${one.name}: ${made.problem}`);
    else installed.set(one, made.modules);
  }
  return installed;
}

interface SdkRow {
  name: string;
  version: string;
  fault: string | null;
}

/** The examples with the SDKs, one after the other. */
async function playExamples(root: string, dir: string, { only, cli }: Options): Promise<SdkRow[]> {
  const wanted = sdkExamples.filter(({ name }) => isWanted([name, 'examples'], only));
  const agents = await installAll(new Set(wanted.map(({ agent }) => agent)), cli);
  const sdks = await installAll(wanted, cli);
  const rows: SdkRow[] = [];
  for (const [example, modules] of sdks) {
    const agentModules = agents.get(example.agent);
    if (agentModules === undefined) continue;
    const fault = await playSdk(example, { root, modules, agentModules, dir: join(dir, example.name) });
    const { version } = parsePackage(example.packages[0]);
    rows.push({ name: example.name, version, fault });
    report(`example: ${example.name} ${version} | ${fault ?? 'right'}`);
  }
  return rows;
}

/** Agents as clients of `unstuck mcp`, one after the other. */
async function playClients(root: string, dir: string, { only, cli }: Options): Promise<SdkRow[]> {
  const wanted = mcpClients.flatMap((client) =>
    mcpScenes
      .filter((scene) => isWanted([client.agent.name, scene.name, 'mcp'], only))
      .map((scene) => ({ client, scene })),
  );
  const agents = await installAll(new Set(wanted.map(({ client }) => client.agent)), cli);
  const rows: SdkRow[] = [];
  for (const { client, scene } of wanted) {
    const modules = agents.get(client.agent);
    if (modules === undefined) continue;
    const name = `mcp ${client.agent.name} ${scene.name}`;
    const stage = { root, modules, dir: join(dir, name.replaceAll(' ', '-')) };
    const { fault, tokens } = await playMcp(client, scene, stage);
    rows.push({ name, version: parsePackage(client.agent.packages[0]).version, fault });
    report(`${name} | ${tokens} tokens | ${fault ?? 'right'}`);
  }
  const others = isWanted([inspector.name, 'mcp'], only) ? [inspector] : [];
  for (const [{ name, packages }, modules] of await installAll(others, cli)) {
    const fault = await playInspector(root, modules, join(dir, name));
    rows.push({ name: `mcp ${name}`, version: parsePackage(packages[0]).version, fault });
    report(`mcp ${name} | ${fault ?? 'right'}`);
  }
  return rows;
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

interface Results {
  rows: Row[];
  examples: SdkRow[];
}

async function performAll(root: string, dir: string, options: Options): Promise<Results> {
  const rows = await playScenes(root, dir, options);
  const examples = await playExamples(root, dir, options);
  return { rows, examples: [...examples, ...(await playClients(root, dir, options))] };
}

async function playScenes(root: string, dir: string, options: Options): Promise<Row[]> {
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  process.setMaxListeners(0);
  const reason = whyNot();
  if (reason !== null) return console.log(`skipped: ${reason}`);
  const { rows, examples } = await (options.keep === null
    ? withScratch(root, (dir) => performAll(root, dir, options))
    : performAll(root, options.keep, options));
  if (rows.length + examples.length === 0)
    return console.log('skipped: no agent is installed, or nothing matches --only');
  const head = ['agent', 'scene', 'API', 'reported', 'end with --kill-stuck part', 'verdict'];
  if (options.json) for (const row of examples) console.log(JSON.stringify({ example: row.name, ...row }));
  else if (rows.length > 0)
    console.log(
      `\n${renderTable({ title: 'Real agents', note: describeMachine(), head, rows: rows.map(cellsOf) })}`,
    );
  if ([...rows, ...examples].some(({ fault }) => fault !== null)) process.exitCode = 1;
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
});
