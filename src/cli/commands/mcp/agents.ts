/** How a server is started. */
export interface ServerEntry {
  command: string;
  args: string[];
}

/** The configuration file of an agent, and its format. */
export interface Agent {
  file: string;
  /** `names`: variables that the agent would keep from the server. */
  render(entry: ServerEntry, names: readonly string[]): string;
  /** A command that does the same when followed by the argv of the server. */
  add?: string;
  /** Whether a server gets this variable; absent: it gets all of them. */
  passes?(name: string): boolean;
  /** What the agent keeps from its servers, and how to change that. */
  about?: string;
}

const json = (content: object) => JSON.stringify(content, null, 2);
const mcpServers = (unstuck: object) => json({ mcpServers: { unstuck } });
/** JSON strings are valid TOML strings. */
const list = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

const codexPasses = new Set([
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'],
]);
const geminiRemoves = /TOKEN|SECRET|PASSW|KEY|AUTH|CRED|PRIVATE|CERT/i;

/** Configuration of each agent. */
export const agents = {
  claude: {
    file: '.mcp.json of the project',
    render: mcpServers,
    add: 'claude mcp add unstuck --',
  },
  codex: {
    file: '~/.codex/config.toml',
    render: ({ command, args }: ServerEntry, names: readonly string[]) =>
      [
        '[mcp_servers.unstuck]',
        `command = ${JSON.stringify(command)}`,
        `args = ${list(args)}`,
        ...(names.length > 0 ? [`env_vars = ${list(names)}`] : []),
      ].join('\n'),
    passes: (name: string) => codexPasses.has(name),
    about: 'codex passes few variables to a server: add the names that your commands need to env_vars',
  },
  gemini: {
    file: '~/.gemini/settings.json',
    render: (entry: ServerEntry, names: readonly string[]) =>
      mcpServers({
        ...entry,
        ...(names.length > 0 && { env: Object.fromEntries(names.map((name) => [name, `$${name}`])) }),
      }),
    passes: (name: string) => !geminiRemoves.test(name),
    about:
      'gemini removes variables whose names look secret: add those that your commands need to env, as "NAME": "$NAME"',
  },
  vscode: {
    file: '.vscode/mcp.json of the project',
    render: (entry: ServerEntry) => json({ servers: { unstuck: { type: 'stdio', ...entry } } }),
  },
  cursor: { file: '~/.cursor/mcp.json', render: mcpServers },
} satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;
