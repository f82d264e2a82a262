import { apiUrl, type BenchAgent, json } from './agent.js';

export const opencode: BenchAgent = {
  name: 'opencode',
  packages: ['opencode-ai@1.18.33'],
  program: ['opencode-linux-x64/bin/opencode'],
  toolLimitMs: 120_000,
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true' }),
  files: (place) => ({
    '.config/opencode/opencode.json': json({
      model: 'local/scripted',
      small_model: 'local/scripted',
      autoupdate: false,
      mcp: { idle: { type: 'local', command: place.mcp, enabled: true } },
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          name: 'local',
          options: { baseURL: `${apiUrl(place)}/v1`, apiKey: 'dummy' },
          models: { scripted: { name: 'scripted' } },
        },
      },
    }),
  }),
  args: () => ['run', '--format', 'json', 'do it'],
  eventArgs: ['--format', 'json'],
};
