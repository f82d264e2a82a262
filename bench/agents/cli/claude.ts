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
  }),
  files: ({ mcp: [command, ...args], endHook }) => ({
    'mcp.json': json({ mcpServers: { idle: { command, args } } }),
    ...(endHook === null
      ? {}
      : {
          '.claude/settings.json': json({
            hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: endHook, timeout: 600 }] }] },
          }),
        }),
  }),
  args: ({ home }) => [
    ...['-p', 'do it', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash'],
    ...['--mcp-config', join(home, 'mcp.json')],
  ],
  eventArgs: ['--output-format', 'stream-json', '--verbose'],
};
