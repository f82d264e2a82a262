import { describe, expect, it } from 'vitest';
import { recogniseAgent } from '../../../src/diagnose/agents/recognise.js';
import type { AgentName } from '../../../src/model/run/agent.js';

const known: [AgentName, string[]][] = [
  ['claude', ['claude', '-p', 'fix it']],
  ['codex', ['/usr/local/bin/codex', 'exec', '--json', 'x']],
  ['gemini', ['npx', '-y', '@google/gemini-cli', '-p', 'x']],
  ['gemini', ['npx', '@google/gemini-cli@latest']],
  ['codex', ['npm', 'exec', '--', '@openai/codex', 'exec']],
  ['codex', ['pnpm', 'dlx', '@openai/codex']],
  ['opencode', ['bun', 'x', 'opencode-ai', 'run']],
  ['claude', ['node', '/opt/lib/node_modules/@anthropic-ai/claude-code/cli.js', '-p']],
  ['claude', ['node', '--no-warnings', './node_modules/@anthropic-ai/claude-code/cli.js']],
  ['droid', ['env', 'A=1', 'timeout', '-k', '5s', '10m', 'nice', '-n', '5', 'droid', 'exec']],
  ['claude', ['sh', '-c', 'cd app && CI=1 claude -p x; echo done']],
  ['opencode', ['bash', '-lc', 'opencode run --format json x | tee log']],
  // As /proc shows it: without quotes.
  ['claude', 'bash -lc cd app && exec claude -p hello'.split(' ')],
];

const others = [
  [],
  ['echo', 'claude'],
  ['grep', '-r', 'codex', '.'],
  ['node', 'claude'],
  ['npm', 'test'],
  ['npm', 'run', 'gemini'],
  ['vim', 'droid'],
  ['sh', '-c', 'echo claude && ls'],
  ['sh', 'claude'],
  ['sh', '-c'],
  ['claude-helper'],
  ['env'],
];

describe('which agent a command line starts', () => {
  it.each(known)('%s in %j', (agent, command) => {
    expect(recogniseAgent(command)).toBe(agent);
  });

  it.each(others)('no agent in %j', (...command) => {
    expect(recogniseAgent(command)).toBeNull();
  });
});
