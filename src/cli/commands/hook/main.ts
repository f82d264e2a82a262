import { type HookAgent, hookAgents, type StuckPolicy, stuckPolicies } from '../../../model/tool.js';
import { runHookEvent } from './event.js';
import type { PolicyFlags } from './flags.js';

/**
 * `unstuck hook event` as a bundle of its own: an agent runs it twice for each tool. false: the words are not what
 * `unstuck hook install` writes, and the whole command line reads them.
 */
export async function runHookDirectly([command, agent, ...words]: readonly string[]): Promise<boolean> {
  const flags: PolicyFlags = { onStuck: 'report', serverAfter: '30s', sample: '5s' };
  if (command !== 'event' || !hookAgents.includes(agent as HookAgent) || words.length % 2 === 1) return false;
  for (let at = 0; at < words.length; at += 2) {
    const [name, value = ''] = words.slice(at, at + 2);
    if (name === '--on-stuck' && stuckPolicies.includes(value as StuckPolicy))
      flags.onStuck = value as StuckPolicy;
    else if (name === '--server-after') flags.serverAfter = value;
    else if (name === '--sample') flags.sample = value;
    else return false;
  }
  await runHookEvent(agent as HookAgent, flags);
  return true;
}
