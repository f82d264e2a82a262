import type { AgentName, AgentTree } from '../../model/run/agent.js';
import type { VerdictKind } from '../../model/verdict.js';
import type { AgentState } from './agent-state.js';
import { agentProfiles } from './profiles.js';

/** A tool may have ended a moment ago: it has to be gone for this long, in two snapshots at least. */
export const goneMs = 10_000;

/** The verdicts of an agent that waits. Any other may become a result. */
const waiting: ReadonlySet<VerdictKind> = new Set([
  'network',
  'timer',
  'service',
  'event',
  'asleep',
  'deadlock',
]);

/** The agent ran at the moment of the snapshot: it may tick, or be about to print a result. */
const running: ReadonlySet<VerdictKind> = new Set(['working', 'starved']);

/** So many snapshots that show a running agent are repeated. */
const runningMax = 5;

/** Since when the tools of an agent are gone without a result. */
export interface GoneTools {
  sinceMs: number;
  /** Events of the agent until then. */
  events: number;
  /** How many snapshots showed it, how many showed that the agent ran, and the last of them. */
  snapshots: number;
  running: number;
  tree: AgentTree;
}

/**
 * Whether all tools that the agent waits for run as a process of their own. Some run inside of the agent (an edit, a
 * search), and a tool of an MCP server runs in that server.
 */
export function awaitsProcesses(name: AgentName, { tools, turnSinceMs }: AgentState): boolean {
  const { shells, showsToolsLate } = agentProfiles[name];
  const awaited = tools.filter(({ isBehind }) => !isBehind);
  if (awaited.length === 0) return showsToolsLate === true && turnSinceMs !== null;
  return awaited.every((tool) => shells.includes(tool.name));
}

/**
 * What a snapshot shows of the tools. `gone`: no process could be one, no request is open, and the agent waits; `unclear`: the
 * same, but the agent ran at that moment.
 */
export function toolsShown(kind: VerdictKind | null, tree: AgentTree): 'gone' | 'unclear' | 'there' {
  if (kind === null || tree.mayRunTool || tree.model === 'asked') return 'there';
  if (running.has(kind)) return 'unclear';
  return waiting.has(kind) ? 'gone' : 'there';
}

/** One snapshot more, or the same one again; null: the tools are not gone. */
export function advanceGone(
  before: GoneTools | null,
  {
    tree,
    shown,
    events,
    nowMs,
  }: { tree: AgentTree; shown: ReturnType<typeof toolsShown>; events: number; nowMs: number },
): GoneTools | null {
  if (shown === 'there') return null;
  const isSame = before !== null && before.events === events;
  if (isSame && before.tree === tree) return before;
  const known = isSame ? before : { sinceMs: nowMs, events, snapshots: 0, running: 0 };
  if (shown === 'unclear') return { ...known, tree, running: known.running + 1 };
  const sinceMs = known.snapshots === 0 ? nowMs : known.sinceMs;
  return { ...known, tree, sinceMs, snapshots: known.snapshots + 1 };
}

/** Another snapshot would show whether the tools are really gone. */
export function wantsMore({ snapshots, running: ran }: GoneTools): boolean {
  return snapshots < 2 && ran < runningMax;
}

/** Long enough to be reported. */
export function isLost(gone: GoneTools | null, nowMs: number, patienceMs: number): boolean {
  return gone !== null && gone.snapshots > 1 && nowMs - gone.sinceMs >= Math.min(goneMs, patienceMs);
}
