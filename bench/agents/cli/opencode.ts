import { apiUrl, type BenchAgent, json, type Place } from './agent.js';

const file = '.config/opencode/opencode.json';

const config = (place: Place, bash: 'allow' | 'ask'): string =>
  json({
    model: 'local/scripted',
    small_model: 'local/scripted',
    autoupdate: false,
    permission: { bash },
    mcp: { [place.mcp.name]: { type: 'local', command: place.mcp.argv, enabled: true } },
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'local',
        options: { baseURL: `${apiUrl(place)}/v1`, apiKey: 'dummy' },
        models: { scripted: { name: 'scripted' } },
      },
    },
  });

export const opencode: BenchAgent = {
  name: 'opencode',
  packages: ['opencode-ai@1.18.33'],
  program: ['opencode-linux-x64/bin/opencode'],
  toolLimitMs: 120_000,
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true' }),
  files: (place) => ({ [file]: config(place, 'allow') }),
  args: () => ['run', '--format', 'json', 'do it'],
  eventArgs: ['--format', 'json'],
  onScreen: { args: ['--prompt', 'do it'], files: (place) => ({ [file]: config(place, 'ask') }) },
};
