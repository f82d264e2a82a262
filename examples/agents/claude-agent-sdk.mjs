// The Claude Agent SDK starts its agent through a function of yours. With `unstuck run` around it, a tool that hangs is stopped
// alone: the agent gets an error as the result of its tool and goes on. What Unstuck reports is on stderr.
//   npm i @anthropic-ai/claude-agent-sdk && node claude-agent-sdk.mjs 'Are the tests green?'
import { spawn } from 'node:child_process';
import { query } from '@anthropic-ai/claude-agent-sdk';

const [prompt = 'Are the tests green?'] = process.argv.slice(2);

const messages = query({
  prompt,
  options: {
    allowedTools: ['Bash'],
    spawnClaudeCodeProcess({ command, args, cwd, env, signal }) {
      const watched = ['run', '--kill-stuck', 'part', '--timeout', '1h', '--', command, ...args];
      return spawn('unstuck', watched, { cwd, env, signal, stdio: ['pipe', 'pipe', 'inherit'] });
    },
  },
});

for await (const message of messages) {
  if (message.type === 'result')
    console.log(message.subtype === 'success' ? message.result : message.subtype);
}
