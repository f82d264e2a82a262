import { apiUrl, type BenchAgent, json } from './agent.js';

export const gemini: BenchAgent = {
  name: 'gemini',
  packages: ['@google/gemini-cli@0.61.0'],
  program: ['.bin/gemini'],
  env: (place) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: apiUrl(place) }),
  files: ({ mcp: { name, argv, limitMs }, endHook }) => ({
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: {
        [name]: { command: argv[0], args: argv.slice(1), ...(limitMs !== undefined && { timeout: limitMs }) },
      },
      ...(endHook === null
        ? {}
        : {
            hooksConfig: { enabled: true },
            hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: endHook, timeout: 600_000 }] }] },
          }),
    }),
  }),
  args: () => ['-p', 'do it', '-o', 'stream-json', '--approval-mode', 'yolo'],
  eventArgs: ['-o', 'stream-json'],
  onScreen: { args: ['-i', 'do it'], files: () => ({}) },
};
