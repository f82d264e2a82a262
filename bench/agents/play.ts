import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentFacts } from '../../src/model/run/agent.js';
import type { RunEvent, RunReport } from '../../src/model/run/run.js';
import { type BenchAgent, type McpServer, type Place, settle } from './cli/agent.js';
import type { Scene } from './scenes/scene.js';

export interface Stage {
  root: string;
  /** node_modules with the agent. */
  modules: string;
  /** A directory of its own. */
  dir: string;
  /** The API is in another pid namespace: no process that can be seen holds the other end of the connection. */
  hidden: boolean;
  /** The agent prints text, not events. */
  isText: boolean;
}

export interface Played {
  /** Seconds from the beginning of the tool until it was reported; null: it never was. */
  reportedS: number | null;
  /** What was reported, in the words of the finding. */
  reason: string;
  /** Programs of all findings. */
  names: string[];
  /** Healths other than healthy, and why. */
  healths: { health: string; reason: string }[];
  /** The longest wait for the model that a heartbeat showed, in seconds; 0: none. */
  modelS: number;
  exitCode: number | null;
  outcome: string;
  /** The tool began, or none was wanted. */
  began: boolean;
  /** What the agent printed on stdout. */
  raw: string;
  /** What the heartbeats and at last the report showed of the agent. */
  shown: AgentFacts[];
}

/** After its tool was stopped, an agent has so long to go on and end by itself. */
const goesOnMs = 40_000;

const port = 8080;
const api = fileURLToPath(new URL('../../test/support/scripted-api/server.mjs', import.meta.url));
/** It idles beside everything else. */
export const idleServer: McpServer = {
  name: 'idle',
  argv: [process.execPath, fileURLToPath(new URL('./programs/idle-mcp.mjs', import.meta.url))],
};

export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
export const line = (words: readonly string[]): string => words.map(quoted).join(' ');

/** What some agents need beside the time of a scene. */
const patienceMs = ({ toolLimitMs = 0, lingersMs = 0 }: BenchAgent): number => toolLimitMs + lingersMs;

/** The files of the program are below node_modules. */
export function programOf({ program }: BenchAgent, modules: string): string[] {
  return program.map((file) => join(modules, file));
}

function argsOf(agent: BenchAgent, { asks, stage }: Scene, place: Place, isText: boolean): readonly string[] {
  if (stage === 'screen') return agent.onScreen?.args ?? [];
  const args = (asks === true ? agent.asking?.args(place) : undefined) ?? agent.args(place);
  return args.filter((arg) => !isText || !agent.eventArgs.includes(arg));
}

interface Staging extends Pick<Scene, 'stage'> {
  endHook?: string | null;
  mcp?: McpServer;
}

/** The home of an agent, with all that it reads at its start, and its environment. */
export function prepare(
  agent: BenchAgent,
  { endHook = null, mcp = idleServer, stage }: Staging,
  dir: string,
): { place: Place; env: Record<string, string> } {
  const home = join(dir, 'home');
  const place = { home, project: join(home, 'project'), port, mcp, endHook };
  for (const name of [place.project, join(dir, 'tmp')]) mkdirSync(name, { recursive: true });
  settle(agent, place, stage === 'screen');
  const env = {
    HOME: home,
    TMPDIR: join(dir, 'tmp'),
    XDG_STATE_HOME: join(dir, 'state'),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: stage === 'screen' ? 'xterm-256color' : 'dumb',
    BENCH_BEGAN: join(dir, 'began'),
    ...agent.env(place),
  };
  return { place, env };
}

/** argv of a command with this environment and no other. */
export const withEnv = (env: Record<string, string>, command: readonly string[]): string[] => [
  ...['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
  ...command,
];

/** All that has the script's network ends with it, such as a server that a tool left behind. */
const endOthers =
  'cd /proc; for p in [0-9]*; do [ $p/ns/net -ef $$/ns/net ] && [ $p != $$ ] && kill -s KILL $p; done';

/**
 * Loopback without any other network, the scripted API on it, and a command. `around`: what stands around the command, and
 * the lines that come after it.
 */
export function stageScript(
  dir: string,
  { turns }: Pick<Scene, 'turns'>,
  command: readonly string[],
  around: { before?: string; after: string; later?: readonly string[] },
): string {
  return [
    'trap "exit 1" TERM',
    `trap '${endOthers}' EXIT`,
    'ip link set lo up',
    `PORT=${port} ${line([process.execPath, api, JSON.stringify(turns), join(dir, 'api.log')])} >${quoted(join(dir, 'port'))} &`,
    `until [ -s ${quoted(join(dir, 'port'))} ]; do sleep 0.1; done`,
    `cd ${quoted(join(dir, 'home/project'))}`,
    `${around.before ?? ''}${line(command)} 2>${quoted(join(dir, 'stderr'))} ${around.after}`,
    ...(around.later ?? []),
  ].join('\n');
}

/** The agent under `unstuck run`. */
function scriptOf(agent: BenchAgent, scene: Scene, { root, modules, dir, hidden, isText }: Stage): string {
  const { place, env } = prepare(agent, scene, dir);
  const limitS = scene.limitS + patienceMs(agent) / 1000;
  const run = withEnv(env, [
    ...[process.execPath, join(root, 'dist/cli.cjs'), 'run', '--json', '--heartbeat', '5s'],
    ...['--kill-stuck', 'part', '--timeout', `${limitS}s`, '--report', join(dir, 'report.json')],
    ...(scene.stage === 'screen' ? ['--pty', '--'] : ['--']),
    ...[...programOf(agent, modules), ...argsOf(agent, scene, place, isText)],
  ]);
  // A question is open for as long as its other side lives.
  const input =
    scene.asks === true
      ? `{ echo ${quoted(agent.asking?.input ?? '')}; tail -f /dev/null --pid $$; } | `
      : '';
  return stageScript(dir, scene, run, {
    before: `${input}${hidden ? 'unshare -p -f --mount-proc ' : ''}`,
    after: scene.asks === true ? '' : '</dev/null',
  });
}

function readEvents(text: string): RunEvent[] {
  return text.split('\n').flatMap((row) => {
    try {
      return [JSON.parse(row) as RunEvent];
    } catch {
      return [];
    }
  });
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function playedOf(events: RunEvent[], dir: string): Played {
  const findings = events.flatMap((event) => (event.kind === 'finding' ? [event] : []));
  const beats = events.flatMap((event) => (event.kind === 'heartbeat' ? (event.agent ?? []) : []));
  const healths = events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis] : []));
  const end = events.find((event) => event.kind === 'exited');
  const report: RunReport | null = JSON.parse(readText(join(dir, 'report.json')) ?? 'null');
  const beganText = readText(join(dir, 'began'));
  const beganMs = beganText === null ? null : Number(beganText) * 1000;
  const [first] = findings;
  return {
    reportedS: first === undefined || beganMs === null ? null : (Date.parse(first.at) - beganMs) / 1000,
    reason: first?.finding.reason ?? '',
    names: findings.map(({ finding }) => finding.name),
    healths: healths.filter(({ health }) => health !== 'healthy'),
    modelS: Math.max(0, ...beats.map(({ waits }) => (waits?.forMs ?? 0) / 1000)),
    exitCode: end?.exitCode ?? null,
    outcome: end?.outcome ?? 'none',
    began: beganText !== null,
    raw: events
      .flatMap((event) => (event.kind === 'output' && event.stream === 'stdout' ? event.text : []))
      .join(''),
    shown: [...beats, ...(report?.agent === undefined ? [] : [report.agent])],
  };
}

/** The group has a shell, the API and `unstuck run`, which ends the agent. */
function endAll(group: number | undefined): void {
  if (group !== undefined) process.kill(-group, 'SIGTERM');
}

/** Its own processes: none of them outlives the script. */
export const ownProcesses = ['-p', '-f', '--mount-proc', '--kill-child'];

/**
 * Runs a script in a network namespace of its own; what it printed. `onOutput`: gets a function that ends it. All that it
 * starts ends with the script.
 */
export async function perform(
  dir: string,
  text: string,
  onOutput: (chunk: Buffer, end: () => void) => void = () => {},
  namespaces: readonly string[] = [],
): Promise<string> {
  mkdirSync(dir, { recursive: true });
  const script = join(dir, 'scene.sh');
  writeFileSync(script, text);
  chmodSync(script, 0o700);
  const child = spawn('unshare', ['-n', ...namespaces, 'bash', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = (): void => endAll(child.pid);
  // Whatever ends us: no scene goes on without us.
  process.once('exit', end);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    onOutput(chunk, end);
  });
  await new Promise((resolve) => child.once('close', resolve));
  process.off('exit', end);
  return Buffer.concat(chunks).toString();
}

/** One agent in one scene. */
export async function play(agent: BenchAgent, scene: Scene, stage: Stage): Promise<Played> {
  mkdirSync(stage.dir, { recursive: true });
  let ending: NodeJS.Timeout | undefined;
  const text = await perform(stage.dir, scriptOf(agent, scene, stage), (chunk, end) => {
    if (chunk.includes('"kind":"part-stopped"')) ending ??= setTimeout(end, goesOnMs + patienceMs(agent));
  });
  clearTimeout(ending);
  writeFileSync(join(stage.dir, 'events.jsonl'), text);
  return playedOf(readEvents(text), stage.dir);
}
