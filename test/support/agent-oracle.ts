import type { AgentFacts, AgentName } from '../../src/model/run/agent.js';

/** What a whole stream says about an agent, read without regard for size or speed. */
export interface Stated {
  turn: number;
  tool: string | null;
  toolsInFlight: number;
  tokens: number | null;
  /** Whether it succeeded; null: no result, or the agent went on after it. */
  ok: boolean | null;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of other programs, read as their documentation has them.
export type Line = any;

/** The lines of an output that are JSON. */
export function readLines(raw: string): Line[] {
  return raw.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const orNull = (count: number): number | null => (count === 0 ? null : count);

/** All lines after the last one that this holds for; all of them if it holds for none. */
function after(lines: Line[], holds: (line: Line) => boolean): Line[] {
  return lines.slice(lines.findLastIndex(holds) + 1);
}

/** The last of these lines, if none of those came after it. */
function lastUnless(lines: Line[], wanted: (line: Line) => boolean, spoils: (line: Line) => boolean): Line {
  const last = lines.findLast((line) => wanted(line) || spoils(line));
  return last !== undefined && wanted(last) ? last : undefined;
}

/** The tools that were called and have no result. */
function tools(called: { id: string; name: string }[], ended: string[]) {
  const open = called.filter(({ id }) => !ended.includes(id));
  return { tool: open.at(-1)?.name ?? null, toolsInFlight: open.length };
}

/** claude and its likes: messages as the API of Anthropic has them. */
function messages(lines: Line[], used: (usage: Line) => number): Stated {
  const spoken = lines.filter(({ type }) => type === 'assistant');
  const own = spoken.filter(({ parent_tool_use_id }) => typeof parent_tool_use_id !== 'string');
  const turns = [...new Set(own.map(({ message }) => message.id))];
  const current = lines.slice(lines.findIndex(({ message }) => message?.id === turns.at(-1)));
  const blocks = (some: Line[]): Line[] =>
    some.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
  const called = blocks(current).filter(({ type }) => type === 'tool_use');
  const ended = blocks(current).filter(({ type }) => type === 'tool_result');
  const isResult = (line: Line): boolean => line.type === 'result';
  const result = lastUnless(lines, isResult, (line) => own.includes(line));
  const perTurn = new Map<string, number>();
  for (const { message } of after(lines, isResult).filter((line) => spoken.includes(line)))
    perTurn.set(message.id, used(message.usage));
  return {
    turn: turns.length,
    ...(result === undefined
      ? tools(
          called,
          ended.map(({ tool_use_id }) => tool_use_id),
        )
      : tools([], [])),
    tokens: orNull(used(lines.findLast(isResult)?.usage) + sum([...perTurn.values()])),
    ok: result === undefined ? null : result.is_error !== true && result.subtype === 'success',
  };
}

/** codex: a thread of items. Messages and plans are no tools, and a command that goes on while it speaks is behind. */
function items(lines: Line[]): Stated {
  const talk = ['agent_message', 'reasoning', 'plan', 'todo_list'];
  const isEnd = ({ type }: Line): boolean => type === 'turn.completed' || type === 'turn.failed';
  const isTalk = ({ type, item }: Line): boolean => type?.startsWith('item.') && talk.includes(item.type);
  const begun = (line: Line): boolean => line.type === 'turn.started';
  const open = after(lines, (line) => begun(line) || isEnd(line) || isTalk(line));
  const called = open.filter(({ type, item }) => type === 'item.started' && item.type !== 'error');
  const ended = open.filter(({ type }) => type === 'item.completed').map(({ item }) => item.id);
  const end = lastUnless(lines, isEnd, begun);
  const usage = lines.findLast(({ type }) => type === 'turn.completed')?.usage;
  return {
    turn: lines.filter(begun).length,
    ...tools(
      called.map(({ item }) => ({ id: item.id, name: item.tool ?? item.type })),
      ended,
    ),
    tokens: usage === undefined ? null : usage.input_tokens - usage.cached_input_tokens + usage.output_tokens,
    ok: end === undefined ? null : end.type === 'turn.completed',
  };
}

/** gemini: the model speaks until the result of a tool comes. */
function geminiLines(lines: Line[]): Stated {
  const speaks = ({ type, role }: Line): boolean =>
    type === 'tool_use' || (type === 'message' && role === 'assistant');
  const listens = ({ type }: Line): boolean => type === 'tool_result' || type === 'result';
  const relevant = lines.filter((line) => speaks(line) || listens(line));
  const turns = relevant.filter((line, at) => speaks(line) && (at === 0 || listens(relevant[at - 1])));
  const current = turns.length === 0 ? [] : lines.slice(lines.indexOf(turns.at(-1)));
  const result = lastUnless(lines, ({ type }) => type === 'result', speaks);
  const called = current.filter(({ type }) => type === 'tool_use');
  const ended = lines.filter(({ type }) => type === 'tool_result').map(({ tool_id }) => tool_id);
  const stats = result?.stats;
  return {
    turn: turns.length,
    ...tools(
      result === undefined ? called.map(({ tool_id, tool_name }) => ({ id: tool_id, name: tool_name })) : [],
      ended,
    ),
    tokens: stats === undefined ? null : orNull(stats.input_tokens - stats.cached + stats.output_tokens),
    ok: result === undefined ? null : result.status !== 'error',
  };
}

/** opencode: steps, and tools that have ended. */
function steps(lines: Line[]): Stated {
  const of = (wanted: string): Line[] => lines.filter(({ type }) => type === wanted);
  const perStep = new Map<string, number>();
  for (const { part } of of('step_finish')) {
    const { input, output, reasoning, cache } = part.tokens;
    perStep.set(part.messageID, input + output + reasoning + cache.write);
  }
  const end = lastUnless(
    lines,
    ({ type, part }) => type === 'step_finish' && part.reason === 'stop',
    ({ type }) => type === 'step_start',
  );
  return {
    turn: new Set(of('step_start').map(({ part }) => part.messageID)).size,
    ...tools([], []),
    tokens: orNull(sum([...perStep.values()])),
    ok: end === undefined ? null : true,
  };
}

const oracles: Partial<Record<AgentName, (lines: Line[]) => Stated>> = {
  claude: (lines) =>
    messages(
      lines,
      ({ input_tokens = 0, cache_creation_input_tokens = 0, output_tokens = 0 } = {}) =>
        input_tokens + cache_creation_input_tokens + output_tokens,
    ),
  // Cached tokens are part of its input.
  qwen: (lines) =>
    messages(
      lines,
      ({ input_tokens = 0, cache_read_input_tokens = 0, output_tokens = 0 } = {}) =>
        input_tokens - cache_read_input_tokens + output_tokens,
    ),
  codex: items,
  gemini: geminiLines,
  opencode: steps,
};

/** What these lines of an agent say; null: there is no oracle for it. */
export function stated(agent: AgentName, lines: Line[]): Stated | null {
  return oracles[agent]?.(lines) ?? null;
}

/** The same of what Unstuck shows. */
export function shownState({ turn, tool, toolsInFlight, tokens, result }: AgentFacts): Stated {
  return { turn, tool: tool?.name ?? null, toolsInFlight, tokens, ok: result?.ok ?? null };
}
