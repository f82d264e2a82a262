import { expect, test, vi } from 'vitest';
import { agents } from '../../src/cli/commands/mcp/agents.js';
import { printMcpConfig } from '../../src/cli/commands/mcp/config.js';
import { readMcpFlags } from '../../src/cli/commands/mcp/flags.js';
import { neededVariables } from '../../src/cli/commands/mcp/needed-variables.js';

const flags = { whenGone: 'keep', maxRuns: '32' };

test('flags have defaults, given values hold, and a wrong value is refused with a hint', () => {
  expect(readMcpFlags(flags)).toEqual({ allow: [], deny: [], whenGone: 'keep', maxRuns: 32 });
  const given = { allow: ['npm *'], whenGone: 'to=night.shift', maxRuns: '5', owner: 'ci' };
  expect(readMcpFlags({ ...flags, ...given })).toEqual({
    ...{ allow: ['npm *'], deny: [], whenGone: { giveTo: 'night.shift' }, maxRuns: 5, owner: 'ci' },
  });
  for (const bad of [
    { whenGone: 'explode' },
    { whenGone: 'to=' },
    { maxRuns: '0' },
    { maxRuns: 'many' },
    { maxRuns: '1001' },
    { owner: 'a b' },
    { owner: 'x'.repeat(65) },
  ]) {
    expect(() => readMcpFlags({ ...flags, ...bad }), JSON.stringify(bad)).toThrow(
      expect.objectContaining({ code: 'bad-input', hint: expect.stringMatching(/\w/) }),
    );
  }
});

test('--print-config prints what each agent reads', () => {
  const entry = { command: 'unstuck', args: ['mcp', '--deny', '*"x"*'] };
  for (const name of ['claude', 'gemini', 'cursor'] as const) {
    expect(JSON.parse(agents[name].render(entry, []))).toEqual({ mcpServers: { unstuck: entry } });
  }
  expect(JSON.parse(agents.vscode.render(entry))).toEqual({
    servers: { unstuck: { type: 'stdio', ...entry } },
  });
  expect(agents.codex.render(entry, [])).toBe(
    '[mcp_servers.unstuck]\ncommand = "unstuck"\nargs = ["mcp", "--deny", "*\\"x\\"*"]',
  );
});

test('variables that an agent keeps from its servers are passed by name', () => {
  const env = {
    ...{ HOME: '/h', UNSTUCK_HOME: '/u', UNSTUCK_RUN_ID: 'run_1', XDG_STATE_HOME: '/s', SSH_AUTH_SOCK: '/a' },
    ...{ https_proxy: 'p', GITHUB_TOKEN: 't', EDITOR: 'vi' },
  };
  const names = neededVariables(env);
  expect(names).toEqual(['SSH_AUTH_SOCK', 'UNSTUCK_HOME', 'XDG_STATE_HOME', 'https_proxy']);
  const entry = { command: 'unstuck', args: ['mcp'] };
  const keptBy = (agent: 'codex' | 'gemini') => names.filter((name) => !agents[agent].passes(name));
  expect(agents.codex.render(entry, keptBy('codex'))).toContain(
    '\nenv_vars = ["SSH_AUTH_SOCK", "UNSTUCK_HOME", "XDG_STATE_HOME", "https_proxy"]',
  );
  expect(JSON.parse(agents.gemini.render(entry, keptBy('gemini')))).toEqual({
    mcpServers: { unstuck: { ...entry, env: { SSH_AUTH_SOCK: '$SSH_AUTH_SOCK' } } },
  });
});

test('prints where to put the configuration, and the command for claude where a shell would not split its words', () => {
  const said: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  printMcpConfig('claude', flags);
  printMcpConfig('claude', { ...flags, deny: ['* publish'] });
  vi.restoreAllMocks();
  expect(said[0]).toMatch(
    /^put it into \.mcp\.json of the project, or: claude mcp add unstuck -- \S.* mcp\n$/,
  );
  // Words that a shell would take apart are safer in the file.
  expect(said[1]).toBe('put it into .mcp.json of the project\n');
});
