import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../src/model/run/agent.js';

/** Where a run of an agent takes place. */
export interface Place {
  /** Its HOME. */
  home: string;
  /** Its working directory. */
  project: string;
  /** The scripted API. */
  port: number;
  /** argv of an MCP server that idles beside everything else. */
  mcp: readonly string[];
}

export interface BenchAgent {
  name: AgentName;
  npmPackage: string;
  /**
   * It notices the end of a tool that a signal has ended only when the time limit of its tools is over. A shell that
   * outlives its stuck command returns a code, which is noticed at once.
   */
  toolLimitMs?: number;
  /** The program, below node_modules. */
  program: string;
  env(place: Place): Record<string, string>;
  /** What it reads at start-up, by path below its HOME. */
  files(place: Place): Record<string, string>;
  args(place: Place): string[];
  /** Among `args`: what makes it print events. Without these it prints text. */
  eventArgs: readonly string[];
}

const apiUrl = ({ port }: Place): string => `http://127.0.0.1:${port}`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const benchAgents: BenchAgent[] = [
  {
    name: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    env: (place) => ({
      ANTHROPIC_BASE_URL: apiUrl(place),
      ANTHROPIC_API_KEY: 'dummy',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    }),
    files: ({ mcp: [command, ...args] }) => ({
      'mcp.json': json({ mcpServers: { idle: { command, args } } }),
    }),
    args: ({ home }) => [
      ...['-p', 'do it', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash'],
      ...['--mcp-config', join(home, 'mcp.json')],
    ],
    eventArgs: ['--output-format', 'stream-json', '--verbose'],
  },
  {
    name: 'codex',
    npmPackage: '@openai/codex',
    program: '.bin/codex',
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
  },
  {
    name: 'gemini',
    npmPackage: '@google/gemini-cli',
    program: '.bin/gemini',
    env: (place) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: apiUrl(place) }),
    files: ({ mcp: [command, ...args] }) => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        mcpServers: { idle: { command, args } },
      }),
    }),
    args: () => ['-p', 'do it', '-o', 'stream-json', '--approval-mode', 'yolo'],
    eventArgs: ['-o', 'stream-json'],
  },
  {
    name: 'opencode',
    npmPackage: 'opencode-ai',
    toolLimitMs: 120_000,
    program: 'opencode-linux-x64/bin/opencode',
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
  },
];

/** Writes what an agent reads at start-up. */
export function settle(agent: BenchAgent, place: Place): void {
  for (const [name, text] of Object.entries(agent.files(place))) {
    const file = join(place.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The version that is installed in this node_modules; null: none is. */
export function versionOf({ npmPackage, program }: BenchAgent, modules: string): string | null {
  if (!existsSync(join(modules, program))) return null;
  const { version } = JSON.parse(readFileSync(join(modules, npmPackage, 'package.json'), 'utf8'));
  return version;
}
