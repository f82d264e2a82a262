import { isAbsent } from '../model/absence.js';
import type { FdFacts, ProcessFacts } from '../model/snapshot.js';
import type { VerdictKind } from '../model/verdict.js';
import type { Judgement } from './judge.js';
import type { ToolBranches } from './tool-branches.js';
import type { Holder, View } from './view.js';

/** It gets on with something, or will in a while: then it also closes its output by itself. */
const getsOn: ReadonlySet<VerdictKind> = new Set(['working', 'starved', 'spinning', 'lock', 'unknown']);
/** A timer that runs out sooner than this is worth waiting for. */
const soonMs = 10 * 60_000;

function endsSoon({ kind, cause }: Judgement): boolean {
  if (getsOn.has(kind)) return true;
  return cause.kind === 'timer' && (cause.leftMs === null || cause.leftMs < soonMs);
}

/** The processes that read what is written to this file. */
function readersOf(tree: View, file: FdFacts): readonly Holder[] {
  if (file.kind === 'pipe') return tree.holders(file.object).filter((holder) => holder.file.read);
  const peer = file.kind === 'socket' ? tree.socketOf(file)?.peer : undefined;
  return peer === undefined ? [] : tree.holders(`socket:${peer}`);
}

/** The output that a process has inherited and that the agent reads. */
function outputToAgent(
  tree: View,
  tools: ToolBranches,
  { fds }: ProcessFacts,
): { file: FdFacts; reader: ProcessFacts } | null {
  if (isAbsent(fds)) return null;
  for (const file of fds.filter(({ fd }) => fd === 1 || fd === 2)) {
    const reader = readersOf(tree, file).find(({ process }) => tools.isOfAgent(process.pid))?.process;
    if (reader !== undefined) return { file, reader };
  }
  return null;
}

/**
 * A process that a tool has left behind, and that keeps the output of the tool open: the agent still waits for the tool,
 * no process of it lives, and what is left behind does not get on with anything. null: it is nothing of the kind.
 */
export function leftOpen(tree: View, tools: ToolBranches, judgement: Judgement): Judgement | null {
  const { view: branch } = judgement;
  const orphan = branch.target;
  const thread = orphan?.threads[0];
  if (orphan === undefined || thread === undefined || tools.awaited > 0 || !tools.startedInTime(orphan))
    return null;
  if (endsSoon(judgement)) return null;
  const output = outputToAgent(tree, tools, orphan);
  const waiting = output?.reader.threads[0];
  if (output === null || waiting === undefined) return null;
  return {
    ...judgement,
    kind: 'lingering',
    certainty: 'high',
    cause: { kind: 'lingering', file: output.file, holders: [orphan.pid] },
    task: { process: orphan, thread },
    waiter: { process: output.reader, thread: waiting },
    elsewhere: null,
  };
}
