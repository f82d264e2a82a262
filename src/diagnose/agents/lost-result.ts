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

/** Since when the tools of an agent are gone without a result. */
export interface GoneTools {
  sinceMs: number;
  /** Events of the agent until then. */
  events: number;
  /** How many snapshots showed it, and the last of them. */
  snapshots: number;
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

/** No process could be the tool, no request is open, and the agent itself waits. */
export function isToolGone(kind: VerdictKind | null, tree: AgentTree): boolean {
  return kind !== null && waiting.has(kind) && !tree.mayRunTool && tree.model !== 'asked';
}

/** One snapshot more, or the same one again; null: the tools are not gone. */
export function advanceGone(
  before: GoneTools | null,
  { tree, isGone, events, nowMs }: { tree: AgentTree; isGone: boolean; events: number; nowMs: number },
): GoneTools | null {
  if (!isGone) return null;
  if (before === null || before.events !== events) return { sinceMs: nowMs, events, snapshots: 1, tree };
  return before.tree === tree ? before : { ...before, tree, snapshots: before.snapshots + 1 };
}

/** Long enough to be reported. */
export function isLost(gone: GoneTools | null, nowMs: number, patienceMs: number): boolean {
  return gone !== null && gone.snapshots > 1 && nowMs - gone.sinceMs >= Math.min(goneMs, patienceMs);
}
