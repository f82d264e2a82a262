import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BenchAgent } from './cli/agent.js';
import { claude } from './cli/claude.js';
import { codex } from './cli/codex.js';
import { opencode } from './cli/opencode.js';
import { perform, prepare, programOf, stageScript, withEnv } from './play.js';
import { hangs } from './scenes/hangs.js';

/** An example in examples/agents that uses the SDK of an agent. */
export interface SdkExample {
  name: string;
  /** npm packages with the versions that are proven; the first is the SDK. */
  packages: readonly [string, ...string[]];
  agent: BenchAgent;
  /** The example starts the agent by its name, from the PATH. */
  startsByName: boolean;
}

export const sdkExamples: readonly SdkExample[] = [
  {
    name: 'claude-agent-sdk',
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.325'],
    agent: claude,
    startsByName: false,
  },
  { name: 'codex-sdk', packages: ['@openai/codex-sdk@0.163.0'], agent: codex, startsByName: true },
  { name: 'opencode-sdk', packages: ['@opencode-ai/sdk@1.18.33'], agent: opencode, startsByName: true },
];

/** An example may take this long, in seconds. */
const limitS = 300;

export interface SdkStage {
  root: string;
  /** node_modules of the SDK, and of its agent. */
  modules: string;
  agentModules: string;
  dir: string;
}

/** What is wrong; null: the tool was stopped, and the agent gave its answer. */
export async function playSdk(example: SdkExample, stage: SdkStage): Promise<string | null> {
  const { root, modules, agentModules, dir } = stage;
  const scene = hangs.find(({ name }) => name === 'deadlock below a shell');
  if (scene === undefined) throw new Error('the scene of the examples is gone');
  const bin = join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'unstuck'), join(bin, 'unstuck'));
  if (example.startsByName)
    symlinkSync(programOf(example.agent, agentModules)[0] ?? '', join(bin, example.agent.name));
  // Beside the packages, so that they are found.
  const code = dirname(modules);
  cpSync(join(root, 'examples/agents'), code, { recursive: true });
  const { env } = prepare(example.agent, {}, dir);
  const report = join(dir, 'unstuck.log');
  const command = withEnv({ ...env, PATH: `${bin}:${env.PATH}`, CODEX_STDERR: report }, [
    ...['timeout', String(limitS), process.execPath, join(code, `${example.name}.mjs`), 'do it'],
  ]);
  const printed = await perform(dir, stageScript(dir, scene, command, { after: '</dev/null' }));
  const reported = [join(dir, 'stderr'), report].map(readText).join('');
  if (printed.trim() !== 'Done.') return `printed ${JSON.stringify(printed.slice(-200))}`;
  return reported.includes('stopped a stuck part') ? null : 'the tool was not stopped';
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
