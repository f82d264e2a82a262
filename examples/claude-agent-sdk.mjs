// The Claude Agent SDK starts its agent through a function of yours: that is the place for a watchdog. With the SDK
// installed this asks the real one; otherwise a small fake one, so that you can see what happens.
import { spawn } from 'node:child_process';
import { supervise } from 'unstuck';

const { query } = await import('@anthropic-ai/claude-agent-sdk').catch(
  () => import('./fake/claude-agent-sdk.mjs'),
);

for (const prompt of ['Are the tests green?', 'Please hang.']) {
  /** @type {import('unstuck').Watchdog | undefined} */
  let watchdog;
  const options = {
    /** @param {{ command: string, args: string[], cwd?: string, env: NodeJS.ProcessEnv, signal: AbortSignal }} wish */
    spawnClaudeCodeProcess({ command, args, cwd, env, signal }) {
      const child = spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'inherit'] });
      // With `judge`, an agent that waits for its API stays; one that waits for nothing is ended.
      watchdog = supervise(child, {
        idleTimeoutMs: 6_000,
        pollIntervalMs: 200,
        judge: true,
        label: 'claude',
      });
      return child;
    },
  };
  try {
    for await (const message of query({ prompt, options })) console.log(message.type);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
  }
  console.log(await watchdog?.done.catch((error) => `${error.name}: ${error.verdict?.kind}`));
}
