import { certainties, type VerdictKind } from '../model/verdict.js';
import { type Judgement, judgeView } from './judge.js';
import { isRelieved } from './relieved.js';
import type { View } from './view.js';

/**
 * What a part must be to be a finding. A process that merely sleeps is in the way of nothing, and one that has ended
 * waits for nothing.
 */
const partKinds: ReadonlySet<VerdictKind> = new Set(['deadlock', 'needs-input', 'stopped', 'frozen']);

/** More than these are not listed: a tree of thousands of stopped processes is one trouble, not thousands. */
const partsMax = 20;

function isPart(judgement: Judgement): boolean {
  const { kind, certainty, cause, elsewhere } = judgement;
  if (!partKinds.has(kind) || elsewhere !== null || isRelieved(judgement)) return false;
  if (cause.kind === 'stopped' && cause.traced) return false;
  return certainties.indexOf(certainty) >= certainties.indexOf('high');
}

/**
 * Input that a member of the tree would have to send: an idle worker waits for its next task in the same way, and
 * nothing in the kernel tells the two apart.
 */
function isSuppliedByTree(tree: View, branch: View, { cause }: Judgement): boolean {
  const inTree = (pid: number): boolean => tree.hasMember(pid) && !branch.hasMember(pid);
  if (cause.kind === 'stdin') return cause.holders.some(inTree);
  const index = cause.kind === 'terminal' ? /^pts\/(\d+)$/.exec(cause.terminal)?.[1] : undefined;
  return index !== undefined && tree.holders(`ptmx:${index}`).some(({ process }) => inTree(process.pid));
}

/**
 * The parts of a tree that will not go on, each judged as if only its topmost process had been asked about. A branch
 * that goes on is searched further down; one that is stuck is one part with all that is below it.
 */
export function findParts(whole: Judgement): Judgement[] {
  const { view: tree } = whole;
  const root = tree.target;
  if (root === undefined) return [];
  const parts: Judgement[] = [];
  const queue = [...tree.members].filter((pid) => pid !== root.pid && isTopmost(tree, root.pid, pid));
  for (const pid of queue) {
    if (parts.length === partsMax) break;
    if (!tree.hasMember(pid) || pid === tree.snapshot.reader.pid) continue;
    const branch = tree.branch(pid);
    const judgement = judgeView(branch);
    if (judgement !== null && isPart(judgement) && !isSuppliedByTree(tree, branch, judgement)) {
      if (!isOf(whole, judgement)) parts.push(judgement);
      continue;
    }
    queue.push(...tree.childrenOf(pid));
  }
  return parts;
}

/** Below the root, or left behind by a parent that has ended. */
function isTopmost(tree: View, root: number, pid: number): boolean {
  const parent = tree.process(pid)?.parent ?? 0;
  return parent === root || !tree.hasMember(parent);
}

/** The whole tree is stuck for the same reason, and nothing that was seen lets it go on. */
function isOf(whole: Judgement, part: Judgement): boolean {
  if (whole.wayOut || whole.kind !== part.kind) return false;
  const tasks = 'tasks' in whole.cause ? whole.cause.tasks : [];
  return [whole.task, ...tasks].some(({ process }) => process.pid === part.task.process.pid);
}
