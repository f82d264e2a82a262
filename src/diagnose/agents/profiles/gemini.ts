import { countOf, idOf, type JsonObject, nameOf, objectOf, textOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';

/**
 * Rests on the headless mode reference of Gemini CLI (geminicli.com/docs/cli/headless) and the stream types of its core
 * package: init, message, tool_use, tool_result, error, result. Not known: events for retries, compaction or a
 * permission; without a terminal it refuses a tool instead of asking.
 */
export const gemini: AgentProfile = {
  name: 'gemini',
  title: 'Gemini CLI',
  npmPackage: '@google/gemini-cli',
  eventFlags: '--output-format stream-json',
  printsEvents: /(?:-o|--output-format)[ =]?stream-json\b/,
  unattended: 'gemini --approval-mode auto_edit, or yolo in a sandbox',
  stdin: 'it adds what it reads on its standard input to the prompt: start it with </dev/null',
  quietEnv: { NO_BROWSER: 'true' },
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['run_shell_command'],
  resume: 'gemini --resume latest -p TEXT',
  hooks: '.gemini/settings.json of the project or of your home, below hooks',
  lines: {
    message: { mark: '"role":"assistant"', events: [{ kind: 'turn', id: null }] },
    tool_use: 'parsed',
    tool_result: 'parsed',
    error: 'parsed',
    result: 'parsed',
  },
  events(line) {
    const id = idOf(line.tool_id);
    switch (line.type) {
      case 'tool_use':
        if (id === null) return [];
        return [
          { kind: 'turn', id: null },
          { kind: 'tool-started', id, name: nameOf(line.tool_name, 'tool') },
        ];
      case 'tool_result':
        return id === null ? [] : [{ kind: 'tool-ended', id, failed: line.status === 'error' }];
      case 'error':
        return [{ kind: 'error', text: textOf(line.message) }];
      case 'result':
        return [
          { kind: 'tokens', count: tokensOf(objectOf(line.stats)), of: null },
          { kind: 'result', ok: line.status !== 'error', text: textOf(objectOf(line.error).message) },
        ];
      default:
        return [];
    }
  },
};

function tokensOf({ input_tokens, cached, output_tokens }: JsonObject): number {
  return Math.max(0, countOf(input_tokens) - countOf(cached)) + countOf(output_tokens);
}
