import type { ProcessFacts } from '../../model/facts/snapshot.js';
import { type ProcessSummary, stuckKinds, type Verdict, type WhyAnswer } from '../../model/verdict.js';
import { isRelieved } from '../graph/relieved.js';
import type { AwaitedTools } from '../graph/tool-branches.js';
import type { View } from '../graph/view.js';
import type { Judgement } from '../judge.js';
import { absentFacts } from './absent.js';
import { beyondEvidence, beyondOf, beyondStep } from './beyond.js';
import { chainOf } from './chain.js';
import { describeTask, evidenceFor } from './evidence.js';
import { findingsOf, findStuck, placeOf, stillMs } from './findings.js';
import { commandLine, shortName } from './names.js';
import { waitGraphOf } from './wait-graph.js';

function summarize(view: View, process: ProcessFacts): ProcessSummary {
  const [first] = process.threads;
  return {
    pid: process.pid,
    parent: process.parent,
    command: commandLine(process),
    state: process.state,
    doing: first === undefined ? 'unknown' : describeTask(view, { process, thread: first }),
    threads: process.threads.length,
    inTree: process.inTree,
  };
}

/** Two addresses are ambiguous: one of them may be left from long ago. */
function polledBy({ kind, view }: Judgement): Pick<Verdict, 'polls'> {
  const { dialled = [] } = view.snapshot;
  const [only, ...others] = dialled;
  const process = only === undefined ? undefined : view.process(only.pid);
  if (only === undefined || process === undefined || stuckKinds.has(kind) || kind === 'service') return {};
  if (others.some(({ address }) => address !== only.address)) return {};
  return { polls: { ...only, name: shortName(process) } };
}

function readsTerminal({ cause, others }: Judgement): boolean {
  return [cause, ...others].some(({ kind }) => kind === 'terminal');
}

/**
 * Puts a judgement into words: the answer that every interface shows. `awaited`: the tools that the agent in the tree
 * waits for.
 */
export function answerOf(judgement: Judgement, awaited: AwaitedTools | null = null): WhyAnswer {
  const { view, task } = judgement;
  const { snapshot } = view;
  const target = view.target ?? task.process;
  const stuck = findStuck(judgement, awaited);
  const beyond = beyondOf(judgement);
  const place = placeOf(judgement);
  const evidence = evidenceFor(judgement);
  return {
    target: {
      pid: target.pid,
      command: commandLine(target),
      startTicks: target.startTicks,
      bootId: snapshot.host.bootId,
    },
    verdict: {
      kind: judgement.kind,
      certainty: judgement.certainty,
      pid: task.process.pid,
      command: commandLine(task.process),
      ...place,
      next: beyond === null ? place.next : [beyondStep(beyond), ...place.next],
      evidence: beyond === null ? evidence : [...evidence, beyondEvidence(judgement, beyond)],
      ...(beyond !== null && { beyond }),
      ...(judgement.cause.kind === 'hidden' ? { hidden: true as const } : {}),
      ...(judgement.wayOut ? { wayOut: true as const } : {}),
      ...(readsTerminal(judgement) ? { readsTerminal: true as const } : {}),
      ...polledBy(judgement),
      ...(isRelieved(judgement) ? { relieved: true as const } : {}),
    },
    chain: chainOf(judgement),
    findings: findingsOf(stuck),
    graph: waitGraphOf(judgement, [...stuck.parts, ...stuck.threads.map((set) => set.judgement)]),
    processes: snapshot.processes.map((process) => summarize(view, process)),
    absent: absentFacts(snapshot),
    stillMs: stillMs(snapshot.processes.filter(({ inTree, pid }) => inTree && pid !== snapshot.reader.pid)),
    tookMs: Math.round(snapshot.tookMs),
    at: snapshot.at,
  };
}
