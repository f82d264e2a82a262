import { apiUrl, type BenchAgent, type Place } from './agent.js';

const config = (place: Place, approval: string, sandbox: string): string =>
  [
    'model = "scripted"',
    'model_provider = "local"',
    `approval_policy = "${approval}"`,
    `sandbox_mode = "${sandbox}"`,
    '[model_providers.local]',
    'name = "local"',
    `base_url = "${apiUrl(place)}/v1"`,
    'wire_api = "responses"',
    'env_key = "DUMMY_KEY"',
    `[projects."${place.project}"]`,
    'trust_level = "trusted"',
    `[mcp_servers.${place.mcp.name}]`,
    `command = "${place.mcp.argv[0]}"`,
    `args = ${JSON.stringify(place.mcp.argv.slice(1))}`,
    ...(place.mcp.limitMs === undefined ? [] : [`tool_timeout_sec = ${place.mcp.limitMs / 1000}`]),
    '',
  ].join('\n');

export const codex: BenchAgent = {
  name: 'codex',
  packages: ['@openai/codex@0.166.0'],
  program: ['.bin/codex'],
  env: () => ({ DUMMY_KEY: 'dummy' }),
  files: (place) => ({ '.codex/config.toml': config(place, 'never', 'danger-full-access') }),
  args: () => ['exec', '--json', '--skip-git-repo-check', 'do it'],
  eventArgs: ['--json'],
  onScreen: {
    args: ['do it'],
    files: (place) => ({ '.codex/config.toml': config(place, 'on-request', 'read-only') }),
  },
};
