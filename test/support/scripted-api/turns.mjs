/**
 * What the scripted model does in one turn. A script is a list of them as JSON; turn N answers the request that carries
 * N tool results, so a repeated request gets the same answer.
 *
 * @typedef {{ kind: 'text', text: string }
 *   | { kind: 'shell', command: string, more?: Record<string, unknown>, polls?: boolean }
 *   | { kind: 'poll', session: number }
 *   | { kind: 'tool', server: string, tool: string, input: object }
 *   | { kind: 'slow', text: string, everyMs: number }
 *   | { kind: 'silent' }
 *   | { kind: 'error', status: number, times?: number, after?: Turn }
 *   | { kind: 'drop', times?: number, after?: Turn }} Turn
 *
 * An error answers with this status; `drop` ends the connection in the middle of an answer. `times`: only the first
 * requests, and `after` answers the others; without it, every request.
 *
 * @typedef {object} Asked What a request of any of the APIs says.
 * @property {number} results Tool results in the conversation.
 * @property {number} [sessions] How many of them say that the command goes on.
 * @property {number | null} [session] The command that the last of them says so of.
 * @property {string[]} tools Names of the tools that the model may call.
 * @property {string[]} outputs What the tools have returned, as the model sees it.
 *
 * @typedef {object} Api
 * @property {(path: string) => boolean} serves
 * @property {(body: any) => Asked} read
 * @property {(part: Part) => string[]} format Server-sent events, each without its empty line.
 * @property {() => object} plain The answer for a request that does not stream.
 * @property {(status: number) => object} failed
 *
 * @typedef {{ at: 'start' } | { at: 'text', text: string } | { at: 'call', id: string, name: string, input: object }
 *   | { at: 'end', called: boolean }} Part One piece of a streamed answer.
 */

/** The shell of each agent, and the name of its argument. */
const shells = new Map([
  ['Bash', 'command'],
  ['bash', 'command'],
  ['run_shell_command', 'command'],
  ['exec_command', 'cmd'],
]);

/** @type {Turn} */
const over = { kind: 'text', text: 'Done.' };

/**
 * Requests without a shell are the agent's own (a title, a route): they get a word, and no turn of the script. `polls`: a
 * command that goes on is asked for again until it has ended, as models do.
 *
 * @param {readonly Turn[]} script
 * @param {Asked} asked
 * @returns {Turn}
 */
export function turnFor(script, { results, tools, sessions = 0, session = null }) {
  if (!tools.some((name) => shells.has(name))) return over;
  const isPolled = script.some((turn) => turn.kind === 'shell' && turn.polls);
  if (isPolled && session !== null) return { kind: 'poll', session };
  return script[isPolled ? results - sessions : results] ?? over;
}

/**
 * A turn that fails a few times.
 *
 * @param {Turn} turn
 * @param {Map<Turn, number>} failures How often each turn has failed.
 * @returns {Turn}
 */
export function afterFailures(turn, failures) {
  if (turn.kind !== 'error' && turn.kind !== 'drop') return turn;
  const before = failures.get(turn) ?? 0;
  if (turn.times !== undefined && before >= turn.times) return turn.after ?? over;
  failures.set(turn, before + 1);
  return turn;
}

/**
 * @param {Turn & { kind: 'shell' | 'poll' | 'tool' }} turn
 * @param {Asked} asked
 * @returns {Part & { at: 'call' }}
 */
export function callOf(turn, { results, tools }) {
  if (turn.kind === 'poll') {
    const input = { session_id: turn.session, chars: '', yield_time_ms: 30_000 };
    return { at: 'call', id: `call_${results + 1}`, name: 'write_stdin', input };
  }
  if (turn.kind === 'tool') {
    const name = tools.find((tool) => isToolOf(tool, turn)) ?? `mcp__${turn.server}__${turn.tool}`;
    return { at: 'call', id: `call_${results + 1}`, name, input: turn.input };
  }
  const { command, more = {} } = turn;
  const name = tools.find((tool) => shells.has(tool)) ?? 'Bash';
  const input = { [shells.get(name) ?? 'command']: command, ...more };
  if (name === 'Bash' || name === 'bash') input.description ??= 'scripted';
  return { at: 'call', id: `call_${results + 1}`, name, input };
}

/** Each agent has its own way to name a tool of an MCP server. @param {string} name @param {Turn & { kind: 'tool' }} turn */
function isToolOf(name, { server, tool }) {
  return name.includes(server) && (name.endsWith(`_${tool}`) || name.endsWith(`.${tool}`));
}

/** The text of what a tool has returned: a string, a list of pieces, or an object. @param {any} value @returns {string} */
export function textOf(value) {
  if (typeof value === 'string') return value;
  const pieces = listOf(value).map(({ text }) => text);
  return pieces.length > 0 && pieces.every((text) => typeof text === 'string')
    ? pieces.join('\n')
    : (JSON.stringify(value) ?? '');
}

/** @param {any} value */
export function listOf(value) {
  return Array.isArray(value) ? value : [];
}
