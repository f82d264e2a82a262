import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchAgent, settle } from '../agents/cli/agent.js';
import { idleServer, line, programOf, quoted } from '../agents/play.js';

const port = 8080;
const api = fileURLToPath(new URL('../../test/support/scripted-api/server.mjs', import.meta.url));

export interface HookStage {
  root: string;
  modules: string;
  /** A directory of its own. */
  dir: string;
  command: string;
  isHooked: boolean;
  limitS: number;
}

export interface HookPlayed {
  /** Seconds from the begin of the tool to the end of the agent; null: it did not end in time. */
  tookS: number | null;
  exitCode: number | null;
  /** What the model got from the hook; null: nothing. */
  hint: string | null;
}

/** Loopback without any other network, the scripted API on it, the hook in the settings, and the agent. */
function scriptOf(agent: BenchAgent, { root, modules, dir, command, isHooked, limitS }: HookStage): string {
  const home = join(dir, 'home');
  const place = { home, project: join(home, 'project'), port, mcp: idleServer, endHook: null };
  for (const name of [place.project, join(dir, 'tmp')]) mkdirSync(name, { recursive: true });
  settle(agent, place);
  const vars = {
    HOME: home,
    TMPDIR: join(dir, 'tmp'),
    XDG_STATE_HOME: join(dir, 'state'),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: 'dumb',
    ...agent.env(place),
  };
  const env = ['env', '-i', ...Object.entries(vars).map(([name, value]) => `${name}=${value}`)];
  const unstuck = [...env, process.execPath, join(root, 'dist/cli.cjs')];
  const turns = [
    { kind: 'shell', command: `date +%s.%N >${quoted(join(dir, 'began'))}; ${command}`, polls: true },
    { kind: 'text', text: 'Done.' },
  ];
  // The trust of a person cannot be given here.
  const trust = agent.name === 'codex' && isHooked ? ['--dangerously-bypass-hook-trust'] : [];
  const [first = '', ...rest] = agent.args(place);
  const argv = [
    ...env,
    ...programOf(agent, modules),
    first,
    ...(agent.name === 'codex' ? trust : []),
    ...rest,
  ];
  return [
    'ip link set lo up',
    `PORT=${port} ${line([process.execPath, api, JSON.stringify(turns), join(dir, 'api.log')])} >${quoted(join(dir, 'port'))} & api=$!`,
    `until [ -s ${quoted(join(dir, 'port'))} ]; do sleep 0.1; done`,
    `cd ${quoted(place.project)}`,
    ...(isHooked ? [line([...unstuck, 'hook', 'install', agent.name, '--on-stuck', 'stop', '--yes'])] : []),
    `timeout -k 5 ${limitS} ${line(argv)} </dev/null >${quoted(join(dir, 'out'))} 2>&1`,
    `echo $? $(date +%s.%N) >${quoted(join(dir, 'ended'))}`,
    `${line([...unstuck, 'daemon', 'stop'])} >/dev/null 2>&1`,
    'kill $api',
  ].join('\n');
}

/** Agents keep what their model got in files of their own. */
function findHint(dir: string): string | null {
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, entry);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size > 50_000_000) continue;
    const found = /Unstuck: this command [^"\0]{10,1500}/.exec(readFileSync(file, 'latin1'));
    // A text inside of a text is escaped more than once.
    if (found !== null)
      return (found[0].split('</hook_context>')[0] ?? '').replaceAll(/\\+n/g, ' ').replace(/\\+$/, '');
  }
  return null;
}

function readNumbers(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trim().split(' ').map(Number);
  } catch {
    return [];
  }
}

export async function playHooked(agent: BenchAgent, stage: HookStage): Promise<HookPlayed> {
  mkdirSync(stage.dir, { recursive: true });
  const script = join(stage.dir, 'scene.sh');
  writeFileSync(script, scriptOf(agent, stage), { mode: 0o700 });
  const child = spawn('unshare', ['-n', '-p', '-f', '--mount-proc', '--kill-child', 'bash', script], {
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.once('close', resolve));
  const [began] = readNumbers(join(stage.dir, 'began'));
  const [exitCode = null, ended] = readNumbers(join(stage.dir, 'ended'));
  const isOver = began !== undefined && ended !== undefined && exitCode !== 124;
  return { tookS: isOver ? ended - began : null, exitCode, hint: findHint(join(stage.dir, 'home')) };
}
