import * as z from 'zod/mini';
import { hookAgents, stuckPolicies, toolPolicy } from '../../model/tool.js';
import { cutBeforeRedact, redact } from '../../redact/redact.js';
import { short, whole } from '../operations/shared/fields.js';
import { operation } from '../operations/shared/operation.js';

const commandCharsMax = 2000;

const agentProcess = { pid: whole, startTicks: whole };

/** An agent calls a tool: its processes are watched until `toolEnded`. */
export const toolBegan = operation({
  name: 'toolBegan',
  summary: 'watch a tool that an agent has begun, until it ends',
  input: z.strictObject({
    ...agentProcess,
    agent: z.enum(hookAgents),
    call: short,
    command: z.string(),
    startedTicks: whole,
    onStuck: z._default(z.enum(stuckPolicies), toolPolicy.onStuck),
    serverAfterMs: z._default(whole, toolPolicy.serverAfterMs),
    sampleMs: z._default(whole.check(z.minimum(100)), toolPolicy.sampleMs),
  }),
  output: z.object({ watched: z.number() }),
  handle: ({ pid, startTicks, call, command, ...rest }, { registry: { tools } }) => {
    const masked = redact(cutBeforeRedact(command, commandCharsMax));
    tools.begin(pid, startTicks, { ...rest, id: call, command: masked });
    return { watched: tools.open };
  },
});

export const toolEnded = operation({
  name: 'toolEnded',
  summary: 'end the watch of a tool, and get what the agent should know about it',
  input: z.strictObject({ ...agentProcess, call: short }),
  output: z.object({ hint: z.nullable(z.string()) }),
  handle: ({ pid, startTicks, call }, { registry: { tools } }) => ({
    hint: tools.end(pid, startTicks, call),
  }),
});
