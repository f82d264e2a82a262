import type { AgentEvent } from '../../../model/run/agent.js';
import { countOf, idOf, type JsonObject, nameOf, objectOf, objectsOf, textOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';

/** Messages and plans are not tools: each arrives complete, and the model waits for nothing then. */
const talk = new Set(['agent_message', 'reasoning', 'plan', 'todo_list']);

/**
 * Rests on "Non-interactive mode" of the Codex documentation (codex exec --json) and the event types of its exec crate:
 * thread.started, turn.started/completed/failed, item.started/updated/completed, request_user_input, error. One prompt
 * is one turn there, so the turn stays 1. A command that yields (it goes on while the model speaks) is completed when
 * it ends, or never if the turn ends first. No event for retries is known: Codex reports them in the message of an
 * error ("Reconnecting... 2/5"). No event for compaction is known.
 */
export const codex: AgentProfile = {
  name: 'codex',
  title: 'Codex CLI',
  npmPackage: '@openai/codex',
  eventFlags: 'exec --json',
  printsEvents: /--(?:experimental-)?json\b/,
  unattended: 'codex exec --sandbox workspace-write, which does not ask',
  stdin: 'codex exec adds what it reads on its standard input to the prompt: start it with </dev/null',
  quietEnv: {},
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['command_execution'],
  resume: 'codex exec resume --last TEXT',
  hooks: '~/.codex/config.toml, below hooks',
  lines: {
    'turn.started': 'parsed',
    'turn.completed': 'parsed',
    'turn.failed': 'parsed',
    'item.started': 'parsed',
    'item.completed': 'parsed',
    request_user_input: 'parsed',
    error: 'parsed',
  },
  events(line) {
    switch (line.type) {
      case 'turn.started':
        return [{ kind: 'turn', id: null }];
      case 'item.started':
      case 'item.completed':
        return item(objectOf(line.item), line.type === 'item.completed');
      case 'turn.completed':
        return [
          { kind: 'tokens', count: tokensOf(objectOf(line.usage)), of: 'turn' },
          { kind: 'result', ok: true, text: '' },
        ];
      case 'turn.failed':
        return [{ kind: 'result', ok: false, text: textOf(objectOf(line.error).message) }];
      case 'request_user_input':
        return [{ kind: 'permission', text: questionOf(objectsOf(line.questions)) }];
      case 'error':
        return failure(textOf(line.message));
      default:
        return [];
    }
  },
};

function item({ id: rawId, type, tool, status, message }: JsonObject, isDone: boolean): AgentEvent[] {
  const id = idOf(rawId);
  if (id === null || typeof type !== 'string') return [];
  if (talk.has(type)) return [{ kind: 'went-on' }];
  if (type === 'error') return failure(textOf(message));
  if (isDone) return [{ kind: 'tool-ended', id, failed: status === 'failed' || status === 'declined' }];
  return [{ kind: 'tool-started', id, name: nameOf(typeof tool === 'string' ? tool : type, 'tool') }];
}

function failure(text: string): AgentEvent[] {
  return [{ kind: /^(?:reconnecting|retrying)\b/i.test(text) ? 'retry' : 'error', text }];
}

function tokensOf({ input_tokens, cached_input_tokens, output_tokens }: JsonObject): number {
  const fresh = Math.max(0, countOf(input_tokens) - countOf(cached_input_tokens));
  return fresh + countOf(output_tokens);
}

function questionOf([first]: JsonObject[]): string {
  return textOf(first?.question) || textOf(first?.header) || 'a question';
}
