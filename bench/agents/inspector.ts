import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The official inspector as a client of `unstuck mcp`: each call is a client of its own. A later major needs Node 22. */
export const inspector = {
  name: 'inspector',
  packages: ['@modelcontextprotocol/inspector@0.15.0'],
} as const;

const callMsMax = 90_000;
/** The call has arrived at the server by then. */
const cancelAfterMs = 5000;

interface Step {
  args: readonly string[];
  /** What the answer must say; null: the call is cancelled, and has none. */
  says: RegExp | null;
}

const tool = (name: string, input: Record<string, string>, says: RegExp | null): Step => ({
  args: [
    ...['--method', 'tools/call', '--tool-name', name],
    ...Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]),
  ],
  says,
});

const act = (action: string, says: RegExp | null, more: Record<string, string> = {}): Step =>
  tool('process', { action, id: 'long', ...more }, says);

/** List, call, time out, cancel; the run goes on after each client has gone. */
const steps: readonly Step[] = [
  { args: ['--method', 'tools/list'], says: /"start".*"process".*"why"/s },
  tool('start', { command: 'sleep 600', label: 'long', waitS: '0' }, /is running/),
  act('wait', /still running after a wait of 2 s/, { timeoutS: '2' }),
  act('wait', null, { timeoutS: '50' }),
  act('poll', /is running/),
  tool('why', { id: 'long' }, /sleeps/),
  act('kill', /is stopped/),
];

/** What is wrong; null: nothing. */
export async function playInspector(root: string, modules: string, dir: string): Promise<string | null> {
  mkdirSync(dir, { recursive: true });
  const env = { ...process.env, UNSTUCK_HOME: dir };
  const unstuck = join(root, 'dist/cli.cjs');
  try {
    return await playSteps([process.execPath, unstuck, 'mcp'], modules, env);
  } finally {
    for (const args of [
      ['kill', '--all'],
      ['daemon', 'stop'],
    ])
      spawnSync(process.execPath, [unstuck, ...args], { env, timeout: callMsMax });
  }
}

async function playSteps(
  server: readonly string[],
  modules: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const cli = join(modules, '@modelcontextprotocol/inspector/cli/build/cli.js');
  for (const [at, { args, says }] of steps.entries()) {
    const child = spawn(process.execPath, [cli, '--cli', ...server, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: callMsMax,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (says === null) {
      await delay(cancelAfterMs);
      child.kill('SIGINT');
    }
    await ended;
    if (says !== null && !says.test(text)) return `step ${at + 1}: ${text.slice(0, 300)}`;
  }
  return null;
}
