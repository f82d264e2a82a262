import { isAbsent } from '../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../model/facts/snapshot.js';
import type { VerdictKind } from '../../model/verdict.js';
import { type Judgement, judgeView } from '../judge.js';
import { collectsOutput } from '../runners/table.js';
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

/** The processes that keep the output of an ended command open will close it soon. */
export function closesSoon(view: View, { cause }: Judgement): boolean {
  if (cause.kind !== 'lingering') return false;
  return cause.holders.every((pid) => {
    const judgement = judgeView(view.branch(pid));
    return judgement !== null && endsSoon(judgement);
  });
}

/** The processes that read what is written to this file. */
function readersOf(tree: View, file: FdFacts): readonly Holder[] {
  if (file.kind === 'pipe') return tree.holders(file.object).filter((holder) => holder.file.read);
  const peer = file.kind === 'socket' ? tree.sockets.of(file)?.peer : undefined;
  return peer === undefined ? [] : tree.holders(`socket:${peer}`);
}

/** The output that a process has inherited and that one of these readers collects. */
function outputTo(
  tree: View,
  { fds }: ProcessFacts,
  isCollector: (reader: ProcessFacts) => boolean,
): { file: FdFacts; reader: ProcessFacts } | null {
  if (isAbsent(fds)) return null;
  for (const file of fds.filter(({ fd }) => fd === 1 || fd === 2)) {
    const reader = readersOf(tree, file).find(({ process }) => isCollector(process))?.process;
    if (reader !== undefined) return { file, reader };
  }
  return null;
}

/** A test runner all of whose processes have ended: it reads their output to its end, and does nothing else. */
function isIdleRunner(tree: View, { pid, command }: ProcessFacts): boolean {
  return tree.hasMember(pid) && tree.childrenOf(pid).length === 0 && collectsOutput(command);
}

/** Belongs to the run, and its parent has ended. */
function isLeftBehind(tree: View, process: ProcessFacts): boolean {
  const parent = tree.process(process.parent);
  return (
    tree.isOfTree(process) && !tree.hasMember(process.pid) && (parent === undefined || !tree.isOfTree(parent))
  );
}

function asLeftOpen(tree: View, tools: ToolBranches, orphan: ProcessFacts): Judgement[] {
  const isOfTool = tools.awaited === 0 && tools.mayBeAwaited(orphan);
  const output = outputTo(
    tree,
    orphan,
    (reader) => (isOfTool && tools.isOfAgent(reader.pid)) || isIdleRunner(tree, reader),
  );
  const [thread, waiting] = [orphan.threads[0], output?.reader.threads[0]];
  if (output === null || thread === undefined || waiting === undefined) return [];
  const judgement = judgeView(tree.branch(orphan.pid));
  if (judgement === null || endsSoon(judgement)) return [];
  return [
    {
      ...judgement,
      kind: 'lingering',
      certainty: 'high',
      cause: { kind: 'lingering', file: output.file, holders: [orphan.pid], ofTool: true },
      task: { process: orphan, thread },
      waiter: { process: output.reader, thread: waiting },
      elsewhere: null,
    },
  ];
}

/**
 * Processes that were left behind and keep output open that is waited for: of a tool, while its agent still waits for the
 * tool and no process of the tool itself lives; of a test, while nothing else that its runner started lives. What is left
 * behind makes no progress.
 */
export function leftOpen(tree: View, tools: ToolBranches): Judgement[] {
  return tree.snapshot.processes
    .filter((process) => isLeftBehind(tree, process))
    .flatMap((orphan) => asLeftOpen(tree, tools, orphan));
}
