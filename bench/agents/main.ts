import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describeMachine, renderTable } from '../report.js';
import { withScratch } from '../scratch.js';
import { type BenchAgent, benchAgents, versionOf } from './agents.js';
import { type Played, play } from './play.js';
import { type Scene, scenes } from './scenes.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const usage = `npm run bench:agents [-- options]
  --cli DIR      a folder in which the agents are installed; without it $UNSTUCK_BENCH_AGENTS
  --only NAME    agents and scenes with this in their name; may be given more than once
  --keep DIR     keep what each run printed
  --help         this

Real agents against a scripted API on loopback, without any other network. Needs root (network namespaces) and:
  npm i --prefix DIR --ignore-scripts ${benchAgents.map(({ npmPackage }) => npmPackage).join(' ')}`;

/** Reported later than this is too late. */
const limitS = 30;

interface Cast {
  agent: BenchAgent;
  version: string;
  scene: Scene;
  hidden: boolean;
  isText: boolean;
}

interface Row extends Cast {
  played: Played;
  fault: string | null;
}

/** What is wrong with how it went; null: nothing. */
function faultOf({ agent, scene }: Cast, played: Played): string | null {
  const { expect, hangs } = scene;
  const goesOn = typeof expect === 'object' && hangs !== undefined && !hangs.includes(agent.name);
  if (typeof expect === 'object' && !goesOn) {
    if (!played.began) return 'the tool never began';
    if (played.reportedS === null) return 'not reported';
    if (played.reportedS > limitS) return `reported after ${limitS} s`;
    if (!played.names.includes(expect.named)) return `named ${played.names.join(', ')}`;
    return played.outcome === 'exited' ? null : `the agent did not end by itself: ${played.outcome}`;
  }
  if (played.names.length > 0) return `a false alarm: ${played.reason}`;
  if (played.healths.some((health) => health !== 'suspicious')) return `called ${played.healths.join(', ')}`;
  if (expect === 'model' && played.modelS === 0) return 'the wait for the model never showed';
  return null;
}

function cellsOf({ agent, version, scene, hidden, isText, played, fault }: Row): string[] {
  const { reportedS, modelS, outcome, exitCode } = played;
  const shown = modelS > 0 ? `waits=model(${Math.round(modelS)}s)` : 'nothing';
  const reported = reportedS === null ? shown : `${played.names.join(', ')} after ${reportedS.toFixed(0)} s`;
  const end = outcome === 'exited' ? `exit ${exitCode}` : outcome;
  return [
    `${agent.name} ${version}${isText ? ', text' : ''}`,
    scene.name,
    hidden ? 'hidden' : 'visible',
    reported,
    end,
    fault ?? 'right',
  ];
}

function whyNot(modules: string | undefined): string | null {
  if (process.getuid?.() !== 0) return 'root is needed for network namespaces';
  if (spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    return 'unshare and ip are needed';
  return modules === undefined ? 'no agents: see --help for how to install them' : null;
}

function parse(args: string[]): { cli: string | undefined; only: string[]; keep: string | undefined } {
  const options = {
    cli: process.env.UNSTUCK_BENCH_AGENTS,
    only: [] as string[],
    keep: undefined as string | undefined,
  };
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const value = rest.shift();
    if (value === undefined) throw new Error(usage);
    if (arg === '--cli') options.cli = value;
    else if (arg === '--keep') options.keep = resolve(value);
    else if (arg === '--only') options.only.push(value);
    else throw new Error(usage);
  }
  return options;
}

/** Events with both kinds of API, where that matters; text with one. */
function stagesOf({ expect }: Scene): { hidden: boolean; isText: boolean }[] {
  const seen = { hidden: false, isText: false };
  if (expect === 'quiet') return [seen, { hidden: false, isText: true }];
  return [
    seen,
    { hidden: true, isText: false },
    ...(expect === 'model' ? [] : [{ hidden: false, isText: true }]),
  ];
}

function castOf(modules: string, only: string[]): { cast: Cast[]; skipped: string[] } {
  const skipped: string[] = [];
  const cast: Cast[] = [];
  for (const agent of benchAgents) {
    const version = versionOf(agent, modules);
    if (version === null) skipped.push(`${agent.name}: not installed in ${modules}`);
    for (const scene of version === null ? [] : scenes)
      for (const { hidden, isText } of stagesOf(scene))
        if (scene.only?.includes(agent.name) !== false)
          cast.push({ agent, version: version ?? '', scene, hidden, isText });
  }
  const matches = ({ agent, scene, hidden, isText }: Cast): boolean =>
    only.every((part) =>
      [agent.name, scene.name, hidden ? 'hidden' : 'visible', isText ? 'text' : 'events'].some((name) =>
        name.includes(part),
      ),
    );
  return { cast: cast.filter(matches), skipped };
}

/** The agents of one scene at once: most of the time they wait. */
async function playScene(root: string, modules: string, dir: string, cast: Cast[]): Promise<Row[]> {
  return Promise.all(
    cast.map(async (one) => {
      const place = join(
        dir,
        `${one.agent.name}-${one.scene.name}-${one.isText ? 'text' : one.hidden}`.replaceAll(/[^\w-]+/g, '-'),
      );
      const played = await play(one.agent, one.scene, {
        root,
        modules,
        dir: place,
        hidden: one.hidden,
        isText: one.isText,
      });
      return { ...one, played, fault: faultOf(one, played) };
    }),
  );
}

async function main(root: string, args: string[]): Promise<void> {
  if (args.includes('--help')) return console.log(usage);
  const { cli, only, keep } = parse(args);
  const modules = cli === undefined ? undefined : join(resolve(cli), 'node_modules');
  const reason = whyNot(modules);
  if (reason !== null || modules === undefined) return console.log(`skipped: ${reason}`);
  const { cast, skipped } = castOf(modules, only);
  for (const why of skipped) console.log(`skipped: ${why}`);
  const rows: Row[] = [];
  const perform = async (dir: string): Promise<void> => {
    for (const scene of scenes)
      for (const stage of stagesOf(scene)) {
        const together = cast.filter(
          (one) => one.scene === scene && one.hidden === stage.hidden && one.isText === stage.isText,
        );
        const done = await playScene(root, modules, dir, together);
        for (const row of done) console.log(cellsOf(row).join(' | '));
        rows.push(...done);
      }
  };
  await (keep === undefined ? withScratch(root, perform) : perform(keep));
  const head = ['agent', 'scene', 'API', 'reported', 'end with --kill-stuck part', 'verdict'];
  console.log(
    `\n${renderTable({ title: 'Real agents', note: describeMachine(), head, rows: rows.map(cellsOf) })}`,
  );
  if (rows.some(({ fault }) => fault !== null)) process.exitCode = 1;
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
