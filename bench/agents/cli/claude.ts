import { join } from 'node:path';
import { apiUrl, type BenchAgent, json } from './agent.js';

export const claude: BenchAgent = {
  name: 'claude',
  packages: ['@anthropic-ai/claude-code@2.1.325'],
  program: ['@anthropic-ai/claude-code-linux-x64/claude'],
  env: (place) => ({
    ANTHROPIC_BASE_URL: apiUrl(place),
    ANTHROPIC_API_KEY: 'dummy',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    ...(place.mcp.limitMs === undefined ? {} : { MCP_TOOL_TIMEOUT: String(place.mcp.limitMs) }),
  }),
  files: ({ mcp: { name, argv }, endHook }) => ({
    'mcp.json': json({
      mcpServers: { [name]: { command: argv[0], args: argv.slice(1), alwaysLoad: true } },
    }),
    ...(endHook === null
      ? {}
      : {
          '.claude/settings.json': json({
            hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: endHook, timeout: 600 }] }] },
          }),
        }),
  }),
  args: ({ home, mcp }) => [
    ...['-p', 'do it', '--output-format', 'stream-json', '--verbose'],
    ...['--allowedTools', `Bash,mcp__${mcp.name}`],
    ...['--mcp-config', join(home, 'mcp.json')],
  ],
  eventArgs: ['--output-format', 'stream-json', '--verbose'],
  asking: {
    args: () => [
      ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
      ...['--permission-prompt-tool', 'stdio'],
    ],
    input: JSON.stringify({ type: 'user', message: { role: 'user', content: 'do it' } }),
  },
  onScreen: {
    args: ['--permission-mode', 'default', 'do it'],
    // Its questions at the first start are answered.
    files: ({ project }) => ({
      '.claude.json': json({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: ['dummy'], rejected: [] },
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
  },
};
