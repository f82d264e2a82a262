import { expect, it } from 'vitest';
import { presets } from '../../../src/model/run/health.js';
import { AgentMonitor } from '../../../src/run/health/agent-monitor.js';

const settings = {
  agent: 'auto',
  agentPatienceMs: 60_000,
  quietEnv: true,
  thresholds: presets.production,
} as const;

const hintFor = (command: string) => AgentMonitor.of(command.split(' '), settings)?.hint;

it.each([
  'opencode run --format json fix',
  'opencode run --format=json fix',
  'codex exec --json fix',
  'gemini -p fix -o stream-json',
  'gemini -p fix --output-format=stream-json',
  'claude -p fix --output-format stream-json --verbose',
  'npx opencode-ai run --format json fix',
])('there is no hint for an agent that prints events: %s', (command) => {
  expect(hintFor(command)).toBeNull();
});

it.each([
  ['opencode run fix', 'opencode run --format json'],
  ['codex exec fix', 'codex exec --json'],
  ['claude -p fix --output-format json', 'claude --print --output-format stream-json'],
])('the hint for an agent that prints no events has the flags for them: %s', (command, flags) => {
  expect(hintFor(command)).toContain(`with ${flags}`);
});
