import type { AgentEvent } from '../../../model/run/agent.js';
import { countOf, idOf, type JsonObject, nameOf, objectOf, textOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';

/**
 * Rests on the CLI page of the opencode documentation (opencode run --format json) and what its `run` command prints:
 * step_start, text, tool_use, step_finish, error, each with a `part`. Before the first step it prints nothing, however
 * long the model takes. A tool is reported when it is through, so no tool is seen in flight unless a version reports it
 * while it runs. Not known: events for permissions, retries or compaction. The result is a step that ends with the
 * reason `stop`.
 */
export const opencode: AgentProfile = {
  name: 'opencode',
  title: 'opencode',
  npmPackage: 'opencode-ai',
  eventFlags: 'run --format json',
  printsEvents: /--format[ =]json\b/,
  unattended: 'opencode run, which rejects what its configuration does not permit',
  stdin: 'opencode run adds what it reads on its standard input to the message: start it with </dev/null',
  quietEnv: { OPENCODE_DISABLE_AUTOUPDATE: 'true' },
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['bash'],
  resume: 'opencode run --continue TEXT',
  hooks: null,
  showsToolsLate: true,
  lines: { step_start: 'parsed', tool_use: 'parsed', step_finish: 'parsed', error: 'parsed' },
  events(line) {
    const part = objectOf(line.part);
    switch (line.type) {
      case 'step_start':
        return [{ kind: 'turn', id: idOf(part.messageID) }];
      case 'tool_use':
        return toolUse(part);
      case 'step_finish':
        return stepFinish(part);
      case 'error': {
        const { name, data, message } = objectOf(line.error);
        return [{ kind: 'error', text: textOf(objectOf(data).message) || textOf(message) || textOf(name) }];
      }
      default:
        return [];
    }
  },
};

function toolUse({ callID, tool, state }: JsonObject): AgentEvent[] {
  const id = idOf(callID);
  const { status } = objectOf(state);
  if (id === null) return [];
  return status === 'pending' || status === 'running'
    ? [{ kind: 'tool-started', id, name: nameOf(tool, 'tool') }]
    : [{ kind: 'tool-ended', id, failed: status === 'error' }];
}

function stepFinish({ messageID, tokens, reason }: JsonObject): AgentEvent[] {
  const used: AgentEvent = {
    kind: 'tokens',
    count: tokensOf(objectOf(tokens)),
    of: idOf(messageID) ?? 'step',
  };
  const end: AgentEvent = reason === 'stop' ? { kind: 'result', ok: true, text: '' } : { kind: 'turn-ended' };
  return [used, end];
}

function tokensOf({ input, output, reasoning, cache }: JsonObject): number {
  return countOf(input) + countOf(output) + countOf(reasoning) + countOf(objectOf(cache).write);
}
