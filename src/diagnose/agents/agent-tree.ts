import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { AgentTree } from '../../model/run/agent.js';
import { printable } from '../../text/printable.js';
import { reasonFor } from '../explain/sentences.js';
import { type AwaitedTools, ToolBranches } from '../graph/tool-branches.js';
import type { View } from '../graph/view.js';
import { judgeView } from '../judge.js';

/** When the agent did something, as its stream shows; times since boot in clock ticks. */
export interface AgentMoments {
  /** null: it waits for no tool. */
  tools: AwaitedTools | null;
  /** Its first event. Its own processes and its servers started before. */
  spokeTicks: number | null;
  /** Its result; null: none, or the command is not the agent itself. */
  resultTicks: number | null;
}

/** A shell that runs an agent may run other commands after it. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash']);

/** What the tree shows of an agent beside its stream. */
export function agentTree(tree: View, moments: AgentMoments): AgentTree {
  const tools = new ToolBranches(tree, moments.tools);
  return {
    tools: tools.awaited,
    mayRunTool: tools.awaited > 0 || mayRunTool(tree, tools, moments),
    model: modelOf(tools),
    hook: hookOf(tree, moments),
  };
}

/**
 * A process that started after the call, and is not one that the agent had before its first event: a tool that leads no
 * session, or what a tool has left behind.
 */
function mayRunTool(tree: View, tools: ToolBranches, { spokeTicks }: AgentMoments): boolean {
  return tree.snapshot.processes.some(
    (process) =>
      tree.isOfTree(process) &&
      process.pid !== tree.target?.pid &&
      process.state !== 'Z' &&
      tools.mayBeAwaited(process) &&
      process.startTicks >= (spokeTicks ?? 0),
  );
}

function modelOf(tools: ToolBranches): AgentTree['model'] {
  if (tools.asksModel) return 'asked';
  return tools.hasConnection ? 'connected' : 'none';
}

/**
 * The last process that the agent itself started after its result. Its servers started before its first event: in a short
 * session the time of the result does not tell them from a hook.
 */
function hookOf(tree: View, { spokeTicks, resultTicks }: AgentMoments): AgentTree['hook'] {
  if (spokeTicks === null || resultTicks === null) return null;
  const isLate = ({ startTicks }: ProcessFacts): boolean => startTicks >= Math.max(spokeTicks, resultTicks);
  const [hook] = [...tree.members]
    .flatMap((pid) => tree.process(pid) ?? [])
    .filter((process) => {
      const parent = tree.process(process.parent);
      if (parent === undefined || !tree.hasMember(parent.pid) || process.state === 'Z') return false;
      return isLate(process) && !isLate(parent) && !shells.has(parent.name);
    })
    .sort((one, other) => other.startTicks - one.startTicks);
  if (hook === undefined) return null;
  const judgement = judgeView(tree.branch(hook.pid));
  return {
    pid: hook.pid,
    name: printable(hook.name),
    kind: judgement?.kind ?? 'unknown',
    reason: judgement === null ? '' : reasonFor(judgement),
  };
}
