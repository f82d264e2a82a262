/** The first line of the plugin, by which it is recognised. */
export const pluginMark =
  '// Written by: unstuck hook install opencode. Remove it with: unstuck hook uninstall opencode';

/** A plugin of opencode that reports its shell commands. `argv`: the command that handles an event. */
export function opencodePlugin(argv: readonly string[]): string {
  return `${pluginMark}
import { spawn } from 'node:child_process';

const argv = ${JSON.stringify(argv)};

// Resolves with what the agent should know, or with nothing: it never fails, and never takes long.
const send = (event, { sessionID, callID }, args) =>
  new Promise((resolve) => {
    let text = '';
    const done = () => {
      try {
        resolve(JSON.parse(text).hookSpecificOutput.additionalContext);
      } catch {
        resolve();
      }
    };
    setTimeout(done, 9000).unref?.();
    try {
      const child = spawn(argv[0], argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
      child.on('error', done).on('close', done);
      child.stdout.on('data', (chunk) => (text += chunk));
      child.stdin.on('error', () => {});
      const input = { hook_event_name: event, tool_name: 'bash', tool_use_id: callID, session_id: sessionID };
      child.stdin.end(JSON.stringify({ ...input, tool_input: { command: args?.command } }));
    } catch {
      done();
    }
  });

export const Unstuck = async () => ({
  'tool.execute.before': async (input, output) => {
    if (input.tool === 'bash') void send('tool.execute.before', input, output.args);
  },
  'tool.execute.after': async (input, output) => {
    if (input.tool !== 'bash') return;
    const hint = await send('tool.execute.after', input, input.args);
    if (typeof hint === 'string' && output) output.output += '\\n\\n' + hint;
  },
});
`;
}
