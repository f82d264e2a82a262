import { certainties, type VerdictKind } from '../model/verdict.js';
import { certaintyWithin, outerLimit } from './graph/closed/outer-limit.js';
import { mayBeContinued } from './graph/goes-on.js';
import { leftOpen } from './graph/left-open.js';
import { isRelieved } from './graph/relieved.js';
import { type AwaitedTools, ToolBranches } from './graph/tool-branches.js';
import type { View } from './graph/view.js';
import { mayBeProof } from './health/proof.js';
import { type Judgement, judgeView } from './judge.js';

/**
 * The verdicts that make a part a finding. A process that merely sleeps blocks nothing, and a process that has ended
 * waits for nothing.
 */
const partKinds: ReadonlySet<VerdictKind> = new Set(['deadlock', 'needs-input', 'stopped', 'frozen']);

/** Further parts are not listed: a tree of thousands of stopped processes is one problem, not thousands. */
const partsMax = 20;

function isPart(tools: ToolBranches, judgement: Judgement): boolean {
  const { kind, certainty, cause, elsewhere, view } = judgement;
  if (elsewhere !== null || isRelieved(judgement)) return false;
  if (certainties.indexOf(certainty) < certainties.indexOf('high')) return false;
  if (cause.kind === 'stopped' && cause.traced) return false;
  // Nothing else of the tool goes on, and no other tool lives: no process of the tree is left that could open its other end.
  if (cause.kind === 'fifo-partner')
    return cause.opening && tools.isOnly && tools.isAwaitedRoot(view.target?.pid);
  return partKinds.has(kind);
}

/** The members of the tree outside of this branch that would have to send the input. */
function suppliers(tree: View, branch: View, { cause }: Judgement): number[] {
  const inTree = (pid: number): boolean => tree.hasMember(pid) && !branch.hasMember(pid);
  if (cause.kind === 'stdin') return cause.holders.filter(inTree);
  const index = cause.kind === 'terminal' ? /^pts\/(\d+)$/.exec(cause.terminal)?.[1] : undefined;
  if (index === undefined) return [];
  return tree
    .holders(`ptmx:${index}`)
    .map(({ process }) => process.pid)
    .filter(inTree);
}

/**
 * Input that a member of the tree would have to send: an idle worker waits for its next task in the same way, and
 * nothing in the kernel distinguishes the two. A tool is not a worker: its agent waits for its end and sends it
 * nothing.
 */
function isSuppliedByTree(tree: View, tools: ToolBranches, judgement: Judgement): boolean {
  const pids = suppliers(tree, judgement.view, judgement);
  if (pids.length === 0) return false;
  const isTool =
    tools.isShown && tools.isAwaited(judgement.task.process.pid) && pids.every((pid) => tools.isOfAgent(pid));
  return !isTool || tools.asksModel;
}

/** The judgement of a stuck branch; null: the branch goes on, or may. */
function partOf(tree: View, tools: ToolBranches, pid: number): Judgement | null {
  const judgement = judgeView(tree.branch(pid));
  if (judgement === null || isInOwnSession(judgement)) return null;
  const { kind, view, task } = judgement;
  if (kind === 'stopped' && mayBeContinued(tree, view, task)) return null;
  return isPart(tools, judgement) && !isSuppliedByTree(tree, tools, judgement) ? judgement : null;
}

/** What goes on outside of the part may end it. */
function withinLimit(tree: View, tools: ToolBranches, part: Judgement): Judgement {
  const tasks = 'tasks' in part.cause ? part.cause.tasks : [part.task];
  const limit = outerLimit(tree, part.view, tasks, (pid) => tools.mayLimit(pid));
  if (limit === null) return part;
  return { ...part, limit, certainty: certaintyWithin(limit, part.certainty) };
}

/**
 * The parts of a tree that will not go on, each judged as if its topmost process were the target. A branch that goes on
 * is searched further down; a branch that is stuck is one part with all that is below it. `awaited`: the tools of an
 * agent that waits for them; null: the target is no agent, waits for no tool, or its stream is not known.
 */
export function findParts(whole: Judgement, awaited: AwaitedTools | null): Judgement[] {
  const { view: tree } = whole;
  const root = tree.target;
  if (root === undefined) return [];
  const tools = new ToolBranches(tree, awaited);
  const parts: Judgement[] = [];
  const queue = [...tree.members].filter((pid) => pid !== root.pid && isTopmost(tree, root.pid, pid));
  for (const pid of queue) {
    if (parts.length === partsMax) break;
    if (!tree.hasMember(pid) || pid === tree.snapshot.reader.pid) continue;
    if (showsWhole(whole, tools, pid)) continue;
    const part = partOf(tree, tools, pid);
    if (part === null) queue.push(...tree.childrenOf(pid));
    else if (tools.isAwaited(pid) || !isOf(whole, part)) parts.push(withinLimit(tree, tools, part));
  }
  return [...parts, ...leftOpen(tree, tools)].slice(0, partsMax);
}

/**
 * The stuck process has a session of its own below this branch, as the tools of agents have: the session is the part.
 */
function isInOwnSession({ view, task }: Judgement): boolean {
  const root = view.target;
  const { session } = task.process;
  return root !== undefined && session !== root.session && session !== root.pid && view.hasMember(session);
}

/** Below the root, or left behind by a parent that has ended. */
function isTopmost(tree: View, root: number, pid: number): boolean {
  const parent = tree.process(pid)?.parent ?? 0;
  return parent === root || !tree.hasMember(parent);
}

/**
 * Judged as a branch it would show the set that the whole tree waits in, and so would each branch below it: all of its
 * processes belong to that set. There may be hundreds of such branches. A member of the set outside of the tree may seem
 * to give input to a branch with several processes, which is then judged.
 */
function showsWhole(whole: Judgement, tools: ToolBranches, pid: number): boolean {
  const { cause, view } = whole;
  if (cause.kind !== 'knot' || !isWithin(whole, pid) || tools.isAwaited(pid)) return false;
  const children = view.childrenOf(pid);
  const isInTree = children.length === 0 || cause.tasks.every(({ process }) => view.hasMember(process.pid));
  return isInTree && children.every((child) => showsWhole(whole, tools, child));
}

/** The whole tree is stuck for the same reason, which is reported for the whole tree. */
function isOf(whole: Judgement, part: Judgement): boolean {
  return whole.kind === part.kind && isWithin(whole, part.task.process.pid);
}

const shownBy = new WeakMap<Judgement, ReadonlySet<number>>();

/** The whole tree is stuck, and this process is one of those that show it. Each branch asks for it. */
function isWithin(whole: Judgement, pid: number): boolean {
  if (!mayBeProof(whole) || whole.wayOut) return false;
  const tasks = 'tasks' in whole.cause ? whole.cause.tasks : [];
  const shown = shownBy.get(whole) ?? new Set([whole.task, ...tasks].map(({ process }) => process.pid));
  shownBy.set(whole, shown);
  return shown.has(pid);
}
