import type { AgentEvent, AgentFacts, AgentName, AgentSignKind } from '../../model/run/agent.js';
import { agentProfiles } from './profiles.js';

/** With more tools at once, the oldest is forgotten. */
const toolsMax = 32;

interface ToolInFlight {
  id: string;
  name: string;
  sinceMs: number;
  /** The model went on without the result of this tool. */
  isBehind: boolean;
}

/**
 * What the stream of an agent has reported so far: plain data of bounded size. Times are of a clock that never jumps.
 */
export interface AgentState {
  events: number;
  heartbeats: number;
  turns: number;
  turnId: string | null;
  /** Start of the turn that has not ended; null: no turn is open. */
  turnSinceMs: number | null;
  /** The last event came from the model. */
  isSpeaking: boolean;
  /** Oldest first. */
  tools: readonly ToolInFlight[];
  /** Background tasks that the agent reported itself. */
  tasks: number;
  /** `settled`: tokens of turns that are over; null: the agent never reported tokens. */
  tokens: { settled: number; of: string | null; open: number } | null;
  lastKind: AgentSignKind | null;
  lastMs: number;
  result: { ok: boolean; text: string; atMs: number } | null;
  permission: { text: string; atMs: number } | null;
  /** Consecutive retries. */
  retries: number;
  compactions: number;
  errors: number;
  /** The last error since the last event of the model. */
  trouble: string | null;
}

export const startAgent: AgentState = {
  events: 0,
  heartbeats: 0,
  turns: 0,
  turnId: null,
  turnSinceMs: null,
  isSpeaking: false,
  tools: [],
  tasks: 0,
  tokens: null,
  lastKind: null,
  lastMs: 0,
  result: null,
  permission: null,
  retries: 0,
  compactions: 0,
  errors: 0,
  trouble: null,
};

/** Takes in one event. */
export function advanceAgent(state: AgentState, event: AgentEvent, atMs: number): AgentState {
  const next = copyOf(state);
  if (event.kind === 'heartbeat') {
    next.heartbeats++;
    return next;
  }
  next.events++;
  next.lastKind = event.kind;
  next.lastMs = atMs;
  // An activity event can mean anything: it neither answers a question nor takes back a result.
  if (event.kind === 'activity') return next;
  if (event.kind === 'background') next.tasks = event.count;
  else if (event.kind === 'tokens') next.tokens = addTokens(state.tokens, event);
  else {
    next.permission = null;
    take(next, event, atMs);
  }
  return next;
}

/** Field by field: spreading costs several times as much, and there may be thousands of events a second. */
function copyOf(state: AgentState): AgentState {
  const { events, heartbeats, turns, turnId, turnSinceMs, isSpeaking, tools, tasks } = state;
  const { tokens, lastKind, lastMs, result, permission, retries, compactions, errors, trouble } = state;
  return {
    events,
    heartbeats,
    turns,
    turnId,
    turnSinceMs,
    isSpeaking,
    tools,
    tasks,
    tokens,
    lastKind,
    lastMs,
    result,
    permission,
    retries,
    compactions,
    errors,
    trouble,
  };
}

type StateEvent = Exclude<AgentEvent, { kind: 'activity' | 'heartbeat' | 'background' | 'tokens' }>;

/** Changes `next` in place: no other code has it. */
function take(next: AgentState, event: StateEvent, atMs: number): void {
  switch (event.kind) {
    case 'turn':
      nextTurn(next, event.id, atMs);
      break;
    case 'turn-ended':
      next.turnSinceMs = null;
      next.isSpeaking = false;
      break;
    case 'tool-started': {
      const { id, name } = event;
      const others = next.tools.filter((tool) => tool.id !== id);
      next.tools = [...others, { id, name, sinceMs: atMs, isBehind: false }].slice(-toolsMax);
      goOn(next);
      break;
    }
    case 'tool-ended':
      next.tools = next.tools.filter(({ id }) => id !== event.id);
      next.isSpeaking = false;
      break;
    case 'went-on':
      next.tools = next.tools.map((tool) => (tool.isBehind ? tool : { ...tool, isBehind: true }));
      goOn(next);
      break;
    case 'permission':
      next.permission = { text: event.text, atMs };
      break;
    case 'retry':
      next.retries++;
      next.trouble = event.text;
      break;
    case 'compaction':
      next.compactions++;
      break;
    case 'error':
      next.errors++;
      next.trouble = event.text;
      break;
    case 'result':
      goOn(next);
      next.result = { ok: event.ok, text: event.text, atMs };
      next.tools = noTools;
      next.turnSinceMs = null;
      next.isSpeaking = false;
      break;
  }
}

const noTools: AgentState['tools'] = [];

/** The model starts a turn only after it has all tool results, so tools without a reported end have ended. */
function nextTurn(next: AgentState, id: string | null, atMs: number): void {
  goOn(next);
  if (id === null ? next.isSpeaking : id === next.turnId) return;
  next.turns++;
  next.turnId = id;
  next.turnSinceMs = atMs;
  next.isSpeaking = true;
  next.tools = noTools;
}

function goOn(next: AgentState): void {
  next.result = null;
  next.retries = 0;
  next.trouble = null;
}

/** A later report of the same turn replaces the earlier one. A count of zero is not a report. */
function addTokens(
  before: AgentState['tokens'],
  { count, of }: Extract<AgentEvent, { kind: 'tokens' }>,
): AgentState['tokens'] {
  if (count === 0) return before;
  if (of === null) return { settled: 0, of: null, open: count };
  const { settled, open } = before ?? { settled: 0, open: 0 };
  return before?.of === of ? { settled, of, open: count } : { settled: settled + open, of, open: count };
}

/** For how long tools that the agent waits for may have been in flight; null: no tool is. */
export function toolsForMs(name: AgentName, state: AgentState, nowMs: number): number | null {
  const first = state.tools.find(({ isBehind }) => !isBehind);
  const sinceMs = first?.sinceMs ?? (agentProfiles[name].showsToolsLate ? state.turnSinceMs : null);
  return sinceMs === null ? null : Math.max(0, nowMs - sinceMs);
}

/** From heartbeats and reports; `isModelAwaited`: the kernel evidence allows that the agent waits for its model. */
export function agentFacts(
  name: AgentName,
  state: AgentState,
  nowMs: number,
  isModelAwaited = false,
): AgentFacts {
  const { events, heartbeats, turns, tools, tasks, tokens, result, permission } = state;
  const { retries, compactions, errors, lastKind, lastMs } = state;
  const ago = (atMs: number) => Math.max(0, Math.round(nowMs - atMs));
  const awaited = tools.filter(({ isBehind }) => !isBehind);
  const tool = awaited.at(-1);
  return {
    name,
    events,
    heartbeats,
    turn: turns,
    tool: tool === undefined ? null : { name: tool.name, forMs: ago(tool.sinceMs) },
    toolsInFlight: awaited.length,
    toolsInBackground: tools.length - awaited.length + tasks,
    waits: isModelAwaited && mayAwaitModel(state) ? { for: 'model', forMs: ago(lastMs) } : null,
    tokens: tokens === null ? null : tokens.settled + tokens.open,
    lastEvent: lastKind === null ? null : { kind: lastKind, agoMs: ago(lastMs) },
    result: result === null ? null : { ok: result.ok, text: result.text, agoMs: ago(result.atMs) },
    permission: permission === null ? null : { text: permission.text, agoMs: ago(permission.atMs) },
    retries,
    compactions,
    errors,
    trouble: state.trouble,
  };
}

/** By its own stream the agent waits neither for a tool nor for an answer of its user, and has not finished. */
function mayAwaitModel({ tools, result, permission }: AgentState): boolean {
  return result === null && permission === null && tools.every(({ isBehind }) => isBehind);
}
