/** How a server is started. */
export interface ServerEntry {
  command: string;
  args: string[];
}

const json = (content: object) => JSON.stringify(content, null, 2);
const mcpServers = (unstuck: ServerEntry) => json({ mcpServers: { unstuck } });

/** Where each agent looks, and how it wants to be told. JSON strings are TOML strings, too. */
export const agents = {
  claude: { file: '.mcp.json of the project, or: claude mcp add', render: mcpServers },
  codex: {
    file: '~/.codex/config.toml',
    render: ({ command, args }: ServerEntry) =>
      `[mcp_servers.unstuck]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  },
  gemini: { file: '~/.gemini/settings.json', render: mcpServers },
  vscode: {
    file: '.vscode/mcp.json of the project',
    render: (entry: ServerEntry) => json({ servers: { unstuck: { type: 'stdio', ...entry } } }),
  },
  cursor: { file: '~/.cursor/mcp.json', render: mcpServers },
} satisfies Record<string, { file: string; render(entry: ServerEntry): string }>;

export type AgentName = keyof typeof agents;
