/** How a server is started. */
export interface ServerEntry {
  command: string;
  args: string[];
}

/** The configuration file of an agent, and its format. */
export interface Agent {
  file: string;
  render(entry: ServerEntry): string;
  /** A command that does the same when followed by the argv of the server. */
  add?: string;
}

const json = (content: object) => JSON.stringify(content, null, 2);
const mcpServers = (unstuck: ServerEntry) => json({ mcpServers: { unstuck } });

/** Configuration of each agent. JSON strings are valid TOML strings. */
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
