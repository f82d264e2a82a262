/** How a server is started. */
export interface ServerEntry {
  command: string;
  args: string[];
}

/** Where an agent looks, and how it wants to be told. */
export interface Agent {
  file: string;
  render(entry: ServerEntry): string;
  /** What does the same when the words of the server stand behind it. */
  add?: string;
}

const json = (content: object) => JSON.stringify(content, null, 2);
const mcpServers = (unstuck: ServerEntry) => json({ mcpServers: { unstuck } });

/** Where each agent looks, and how it wants to be told. JSON strings are TOML strings, too. */
export const agents = {
  claude: {
    file: '.mcp.json of the project',
    render: mcpServers,
    add: 'claude mcp add unstuck --',
  },
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
} satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;
