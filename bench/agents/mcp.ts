import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchAgent, McpServer } from './cli/agent.js';
import { claude } from './cli/claude.js';
import { codex } from './cli/codex.js';
import { gemini } from './cli/gemini.js';
import { line, ownProcesses, perform, prepare, programOf, quoted, stageScript, withEnv } from './play.js';
import type { Turn } from './scenes/scene.js';
import { done } from './scenes/scene.js';

/** An agent as a client of `unstuck mcp`. */
interface McpClient {
  agent: BenchAgent;
  /** What its list of servers says of one that answers; null: it prints its settings, and connects to nothing. */
  connected: RegExp | null;
}

export const mcpClients: readonly McpClient[] = [
  { agent: claude, connected: /unstuck.*Connected/ },
  { agent: codex, connected: null },
  { agent: gemini, connected: /unstuck.*Connected/ },
];

/** Counted as most do: a token is four characters. */
export const tokensMax = 4000;
/** A client that gives up after this, in milliseconds; it is less than a wait may last. */
const limitMs = 6000;
const limitS = 150;

const call = (tool: string, input: object): Turn => ({ kind: 'tool', server: 'unstuck', tool, input });
const act = (action: string, id: string, more: object = {}): Turn => call('process', { action, id, ...more });

/** A server that asks a question. */
const web = `node -e '
  console.log("compiling …");
  require("node:http").createServer().listen(0, "127.0.0.1", () => process.stdout.write("Seed the database? "));
  require("node:readline").createInterface(process.stdin).once("line", (line) => console.log("seeding:", line));'`;
const long = call('start', { command: 'sleep 600', label: 'long', waitS: 0 });

export interface McpScene {
  name: string;
  turns: Turn[];
  /** What the model must have seen of each call. */
  expect: RegExp[];
  /** The agent gives up a call after `limitMs`. */
  isImpatient?: true;
  /** The agent is interrupted while this call, counted from 1, is open. */
  cancels?: number;
}

export const mcpScenes: readonly McpScene[] = [
  {
    name: 'script',
    turns: [
      call('start', { command: web, label: 'web', stdin: true, timeout: '10m', waitS: 0 }),
      act('wait', 'web', { until: ['port', 'exit'] }),
      act('log', 'web'),
      act('wait', 'web', { until: ['needs-input', 'quiet'], quietS: 1, timeoutS: 2 }),
      call('why', { id: 'web' }),
      act('submit', 'web', { data: 'yes' }),
      act('kill', 'web'),
      done,
    ],
    expect: [
      /run_/,
      /port/,
      /compiling/,
      /still running|input/,
      /service|input/,
      /seeding: yes/,
      /killed|stopped/,
    ],
  },
  {
    name: 'time out',
    turns: [
      long,
      act('wait', 'long', { until: ['exit'], timeoutS: 40 }),
      act('poll', 'long'),
      act('kill', 'long'),
      done,
    ],
    expect: [/run_/, /time[d ]*out|timeout/i, /running|healthy/, /killed|stopped/],
    isImpatient: true,
  },
  {
    name: 'cancel',
    turns: [long, act('wait', 'long', { until: ['exit'], timeoutS: 50 }), done],
    expect: [/run_/],
    cancels: 2,
  },
];

export interface McpPlayed {
  /** What is wrong; null: nothing. */
  fault: string | null;
  /** What the model has seen of all calls. */
  tokens: number;
}

interface McpStage {
  root: string;
  modules: string;
  dir: string;
}

/** One agent as a client in one scene. */
export async function playMcp(client: McpClient, scene: McpScene, stage: McpStage): Promise<McpPlayed> {
  await perform(stage.dir, scriptOf(client, scene, stage), () => {}, ownProcesses);
  const outputs = readOutputs(join(stage.dir, 'api.log'));
  const tokens = Math.round(outputs.join('').length / 4);
  const fault = faultInCalls(scene, outputs) ?? faultAround(client, scene, stage.dir);
  return { fault: tokens > tokensMax ? `${tokens} tokens` : fault, tokens };
}

function scriptOf(
  { agent, connected }: McpClient,
  scene: McpScene,
  { root, modules, dir }: McpStage,
): string {
  const cli = [process.execPath, join(root, 'dist/cli.cjs')];
  const mcp: McpServer = { name: 'unstuck', argv: [...cli, 'mcp'], ...(scene.isImpatient && { limitMs }) };
  const { env: all, place } = prepare(agent, { mcp }, dir);
  // Codex passes HOME to its servers, and no variable of Unstuck.
  const { XDG_STATE_HOME: _, ...env } = all;
  const run = (...argv: string[]): string => line(withEnv(env, argv));
  const file = (name: string): string => quoted(join(dir, name));
  const program = programOf(agent, modules);
  const isOpen = `grep -q 'results ${(scene.cancels ?? 0) - 1} .* tool$' ${file('api.log')}`;
  const cancel = [
    'agent=$!',
    `until ${isOpen}; do kill -0 $agent || break; sleep 0.2; done`,
    // The call has arrived at the server by then.
    'sleep 5; kill -INT $agent; wait $agent',
  ];
  const list = [
    ...(agent === claude
      ? [`${run(...program, 'mcp', 'add', 'unstuck', '--', ...mcp.argv)} >/dev/null`]
      : []),
    `timeout 60 ${run(...program, 'mcp', 'list')} >${file('list')} 2>&1 </dev/null`,
  ];
  const command = ['timeout', '-k', '5', String(limitS), ...withEnv(env, [...program, ...agent.args(place)])];
  return stageScript(dir, scene, command, {
    // Without job control a command in the background ignores SIGINT.
    before: 'set -m; ',
    after: `</dev/null >${file('out')}${scene.cancels === undefined ? '' : ' &'}`,
    later: [
      ...(scene.cancels === undefined ? [] : cancel),
      `${run(...cli, 'ps', '--json')} >${file('ps.json')}`,
      `pgrep -af 'cli.cjs mcp' >${file('servers')}`,
      ...(scene.name === 'script' && connected !== null ? list : []),
    ],
  });
}

function faultInCalls({ expect }: McpScene, outputs: readonly string[]): string | null {
  const wrong = expect.findIndex((pattern, at) => !pattern.test(outputs[at] ?? ''));
  return wrong < 0 ? null : `call ${wrong + 1}: ${JSON.stringify(outputs[wrong] ?? null)?.slice(0, 300)}`;
}

function faultAround({ connected }: McpClient, { name, cancels }: McpScene, dir: string): string | null {
  const [listed, servers, runs] = ['list', 'servers', 'ps.json'].map((file) => readText(join(dir, file)));
  if (name === 'script' && connected?.test(listed ?? '') === false) return `listed: ${listed?.slice(0, 300)}`;
  if (servers?.trim() !== '') return `a server is left: ${servers}`;
  const isAlive = /"label":\s*"long"/.test(runs ?? '') && /"status":\s*"running"/.test(runs ?? '');
  return cancels !== undefined && !isAlive ? 'the run did not go on after the cancel' : null;
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Each request carries the results of all calls so far: the longest list is the whole. */
function readOutputs(log: string): string[] {
  return readText(log)
    .split('\n')
    .filter((row) => row.startsWith('outputs '))
    .map((row): string[] => JSON.parse(row.slice('outputs '.length)))
    .reduce((most, one) => (one.length > most.length ? one : most), []);
}
