import { apiUrl, type BenchAgent } from './agent.js';

export const codex: BenchAgent = {
  name: 'codex',
  packages: ['@openai/codex@0.166.0'],
  program: ['.bin/codex'],
  env: () => ({ DUMMY_KEY: 'dummy' }),
  files: (place) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "local"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      '[model_providers.local]',
      'name = "local"',
      `base_url = "${apiUrl(place)}/v1"`,
      'wire_api = "responses"',
      'env_key = "DUMMY_KEY"',
      `[projects."${place.project}"]`,
      'trust_level = "trusted"',
      '[mcp_servers.idle]',
      `command = "${place.mcp[0]}"`,
      `args = ${JSON.stringify(place.mcp.slice(1))}`,
      '',
    ].join('\n'),
  }),
  args: () => ['exec', '--json', '--skip-git-repo-check', 'do it'],
  eventArgs: ['--json'],
};
