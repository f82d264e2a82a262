import { isAbsent } from '../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../model/facts/snapshot.js';
import type { VerdictKind } from '../../model/verdict.js';
import { type Judgement, judgeView } from '../judge.js';
import type { ToolBranches } from './tool-branches.js';
import type { Holder, View } from './view.js';

/** Verdicts of a process that makes progress, or will soon: it then closes its output by itself. */
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
  const peer = file.kind === 'socket' ? tree.sockets.of(file)?.peer : undefined;
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

/** Belongs to the run, and its parent has ended. */
function isLeftBehind(tree: View, process: ProcessFacts): boolean {
  const parent = tree.process(process.parent);
  return (
    tree.isOfTree(process) && !tree.hasMember(process.pid) && (parent === undefined || !tree.isOfTree(parent))
  );
}

function asLeftOpen(tree: View, tools: ToolBranches, orphan: ProcessFacts): Judgement[] {
  const output = outputToAgent(tree, tools, orphan);
  const [thread, waiting] = [orphan.threads[0], output?.reader.threads[0]];
  if (output === null || thread === undefined || waiting === undefined) return [];
  const judgement = judgeView(tree.branch(orphan.pid));
  if (judgement === null || endsSoon(judgement)) return [];
  return [
    {
      ...judgement,
      kind: 'lingering',
      certainty: 'high',
      cause: { kind: 'lingering', file: output.file, holders: [orphan.pid] },
      task: { process: orphan, thread },
      waiter: { process: output.reader, thread: waiting },
      elsewhere: null,
    },
  ];
}

/**
 * Processes that a tool has left behind and that keep its output open: the agent still waits for the tool, no process
 * of the tool itself lives, and the processes left behind make no progress.
 */
export function leftOpen(tree: View, tools: ToolBranches): Judgement[] {
  if (tools.awaited > 0) return [];
  return tree.snapshot.processes
    .filter((process) => tools.startedInTime(process) && isLeftBehind(tree, process))
    .flatMap((orphan) => asLeftOpen(tree, tools, orphan));
}
