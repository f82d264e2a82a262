import { countOf, idOf, type JsonObject, nameOf, objectOf, textOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';

/**
 * Rests on the Droid Exec page of the Factory documentation (docs.factory.ai/cli/droid-exec): system (init), message,
 * tool_call, tool_result, completion, error; `reasoning` is printed, too. Not known: events for permissions (what the
 * level of autonomy does not allow fails at once), retries and compaction.
 */
export const droid: AgentProfile = {
  name: 'droid',
  title: 'Droid',
  npmPackage: null,
  eventFlags: 'exec --output-format stream-json',
  printsEvents: /(?:-o|--output-format)[ =]?stream-json\b/,
  unattended: 'droid exec --auto medium, or the level that it needs',
  stdin: 'without a prompt droid exec reads it from its standard input: start it with </dev/null',
  quietEnv: {},
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['Execute'],
  resume: 'droid exec --session-id ID TEXT',
  hooks: '.factory/settings.json of the project or of your home, below hooks',
  lines: {
    message: { mark: '"role":"assistant"', events: [{ kind: 'turn', id: null }] },
    tool_call: 'parsed',
    tool_result: 'parsed',
    completion: 'parsed',
    result: 'parsed',
    error: 'parsed',
  },
  events(line) {
    const id = idOf(line.id);
    switch (line.type) {
      case 'tool_call':
        if (id === null) return [];
        return [
          { kind: 'turn', id: null },
          { kind: 'tool-started', id, name: nameOf(line.toolName ?? line.toolId, 'tool') },
        ];
      case 'tool_result':
        return id === null ? [] : [{ kind: 'tool-ended', id, failed: line.isError === true }];
      case 'error':
        return [{ kind: 'error', text: textOf(line.message) }];
      case 'completion':
      case 'result':
        return [
          { kind: 'tokens', count: tokensOf(objectOf(line.usage)), of: null },
          {
            kind: 'result',
            ok: line.is_error !== true && line.isError !== true,
            text: textOf(line.finalText ?? line.result),
          },
        ];
      default:
        return [];
    }
  },
};

function tokensOf({ input_tokens, cache_creation_input_tokens, output_tokens }: JsonObject): number {
  return countOf(input_tokens) + countOf(cache_creation_input_tokens) + countOf(output_tokens);
}
