import { spawn } from 'node:child_process';
import type { ToolBeganInput, ToolEndedInput } from '../../model/operations/inputs.js';
import type { HookAgent, ToolPolicy } from '../../model/tool.js';
import { privateHome } from '../../store/state-home.js';
import { exchange, LostConnection } from '../client/exchange.js';
import { findCli } from '../client/find-cli.js';
import { callingAgent } from './calling-agent.js';
import { hookOutput, parseHookEvent } from './event-input.js';

/**
 * The daemon answers at once, unless the machine is busy. A late begin does little harm; without its end, an agent would not
 * learn why its tool was stopped.
 */
const answerMs = { toolBegan: 2000, toolEnded: 8000 };

/**
 * Handles one event of an agent. Returns what the hook prints. Throws when something fails, which must not reach the
 * agent.
 */
export async function handleHookEvent(
  agent: HookAgent,
  policy: ToolPolicy,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const event = parseHookEvent(agent, text);
  const calling = event === null ? null : callingAgent();
  if (event === null || calling === null) return '';
  const { call, command } = event;
  const { pid, startTicks, hookTicks: startedTicks } = calling;
  const home = privateHome(env);
  if (event.phase === 'begin') {
    const input: ToolBeganInput = { pid, startTicks, call, agent, command, startedTicks, ...policy };
    const isSent = await post(home, 'toolBegan', input);
    if (isSent === null) leaveToSender(input, env);
    return '';
  }
  const answer = await post(home, 'toolEnded', { pid, startTicks, call });
  const { hint } = (answer ?? {}) as { hint?: unknown };
  return typeof hint === 'string' ? hookOutput(event, hint) : '';
}

/** null: no daemon runs. */
async function post(home: string, name: keyof typeof answerMs, input: ToolEndedInput): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(answerMs[name]);
    const { status, body } = await exchange(home, {
      method: 'POST',
      path: `/v1/${name}`,
      body: JSON.stringify(input),
      signal,
    });
    if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 500)}`);
    return body;
  } catch (error) {
    if (error instanceof LostConnection) return null;
    throw error;
  }
}

/** A process of its own starts the daemon: the agent does not wait for that. */
function leaveToSender(input: ToolBeganInput, env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, [findCli(env), 'hook', 'send'], {
    detached: true,
    cwd: '/',
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.stdin?.end(JSON.stringify(input));
  child.unref();
}
