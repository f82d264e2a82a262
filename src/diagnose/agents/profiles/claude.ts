import type { AgentEvent } from '../../../model/run/agent.js';
import { countOf, idOf, type JsonObject, nameOf, objectOf, objectsOf, textOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';

/**
 * Rests on "Run Claude Code programmatically" (code.claude.com/docs, headless) and the message types of the Agent SDK
 * reference: system (init, api_retry, compact_boundary, status, background_tasks_changed), assistant, user, result,
 * stream_event, tool_progress (every 30 s while a tool runs, whatever the tool does). That `control_request` asks for a
 * permission is part of the SDK's control protocol and may change. Not known: whether every version repeats the usage
 * of a message with each of its lines. For that reason the same id is counted once.
 */
export const claude: AgentProfile = {
  name: 'claude',
  title: 'Claude Code',
  npmPackage: '@anthropic-ai/claude-code',
  eventFlags: '--print --output-format stream-json --verbose',
  printsEvents: /--output-format[ =]stream-json\b/,
  unattended: 'claude --permission-mode acceptEdits, or --allowedTools with what it may do',
  stdin: 'with --print it reads its standard input to the end: start it with </dev/null',
  quietEnv: { DISABLE_AUTOUPDATER: '1' },
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['Bash'],
  resume: 'claude --continue -p TEXT',
  hooks: '.claude/settings.json of the project or of your home, below hooks',
  ...messageLines(
    ({ input_tokens, cache_creation_input_tokens, output_tokens }) =>
      countOf(input_tokens) + countOf(cache_creation_input_tokens) + countOf(output_tokens),
  ),
};

/** The number of tokens in a usage object that were not read from a cache. */
type CountTokens = (usage: JsonObject) => number;

/** The lines of claude and of agents that print the same: messages of the Anthropic API, and a result. */
export function messageLines(tokensOf: CountTokens): Pick<AgentProfile, 'lines' | 'events'> {
  return {
    lines: {
      assistant: 'parsed',
      user: 'parsed',
      system: 'parsed',
      result: 'parsed',
      control_request: 'parsed',
      tool_progress: 'parsed',
    },
    events(line) {
      switch (line.type) {
        case 'assistant':
          return assistant(line, tokensOf);
        case 'user':
          return toolResults(objectsOf(objectOf(line.message).content));
        case 'system':
          return system(line);
        case 'control_request':
          return permission(objectOf(line.request));
        case 'tool_progress':
          return [{ kind: 'heartbeat' }];
        case 'result':
          return result(line, tokensOf);
        default:
          return [];
      }
    },
  };
}

function assistant({ message, parent_tool_use_id, error }: JsonObject, tokensOf: CountTokens): AgentEvent[] {
  const { id: rawId, content, usage } = objectOf(message);
  const id = idOf(rawId);
  const events: AgentEvent[] = [];
  // Messages of a subagent belong to the tool that started it.
  if (typeof parent_tool_use_id !== 'string') events.push({ kind: 'turn', id });
  if (id !== null) events.push({ kind: 'tokens', count: tokensOf(objectOf(usage)), of: id });
  for (const block of objectsOf(content)) {
    const tool = idOf(block.id);
    if (block.type !== 'tool_use' || tool === null) continue;
    events.push({ kind: 'tool-started', id: tool, name: nameOf(block.name, 'tool') });
  }
  if (typeof error === 'string') events.push({ kind: 'error', text: textOf(error) });
  return events;
}

function toolResults(blocks: JsonObject[]): AgentEvent[] {
  return blocks.flatMap(({ type, tool_use_id, is_error }) => {
    const id = idOf(tool_use_id);
    if (type !== 'tool_result' || id === null) return [];
    return [{ kind: 'tool-ended', id, failed: is_error === true }];
  });
}

function system({ subtype, error, error_status, attempt, max_retries, tasks }: JsonObject): AgentEvent[] {
  if (subtype === 'background_tasks_changed') return [{ kind: 'background', count: objectsOf(tasks).length }];
  if (subtype === 'compact_boundary') return [{ kind: 'compaction' }];
  // Printed by qwen.
  if (subtype === 'retry') return [{ kind: 'retry', text: '' }];
  if (subtype !== 'api_retry') return [];
  const code = countOf(error_status);
  const times = countOf(attempt) > 0 ? `attempt ${countOf(attempt)} of ${countOf(max_retries)}` : '';
  return [{ kind: 'retry', text: [code || '', textOf(error), times].filter(Boolean).join(', ') }];
}

function permission({ subtype, tool_name, input }: JsonObject): AgentEvent[] {
  if (subtype !== 'can_use_tool') return [];
  const { command, file_path, url } = objectOf(input);
  const what = textOf(command ?? file_path ?? url);
  return [{ kind: 'permission', text: `${nameOf(tool_name, 'tool')}${what === '' ? '' : `: ${what}`}` }];
}

function result({ usage, is_error, subtype, result: text }: JsonObject, tokensOf: CountTokens): AgentEvent[] {
  const ok = is_error !== true && (subtype === undefined || subtype === 'success');
  return [
    { kind: 'tokens', count: tokensOf(objectOf(usage)), of: null },
    { kind: 'result', ok, text: textOf(text) || textOf(subtype) },
  ];
}
