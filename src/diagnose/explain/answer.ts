import type { ProcessFacts, Snapshot } from '../../model/snapshot.js';
import type { ProcessSummary, WhyAnswer } from '../../model/verdict.js';
import type { Judgement } from '../judge.js';
import { isRelieved } from '../relieved.js';
import type { View } from '../view.js';
import { absentFacts } from './absent.js';
import { chainOf } from './chain.js';
import { describeTask, evidenceFor } from './evidence.js';
import { commandLine } from './names.js';
import { nextFor } from './next.js';
import { reasonFor } from './reason.js';

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

/** Since when nothing of the tree has run; null: something ran between the looks, or it is not known. */
function stillMs({ processes, reader }: Snapshot): number | null {
  let still = Number.POSITIVE_INFINITY;
  for (const process of processes) {
    if (!process.inTree || process.pid === reader.pid) continue;
    for (const thread of process.threads) {
      if (thread.moved !== false || thread.offCpuMs === null) return null;
      still = Math.min(still, thread.offCpuMs);
    }
  }
  return Number.isFinite(still) ? still : null;
}

/** Puts a judgement into words: the answer every face shows. */
export function answerOf(judgement: Judgement): WhyAnswer {
  const { view, task } = judgement;
  const { snapshot } = view;
  const target = view.target ?? task.process;
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
      reason: reasonFor(judgement),
      evidence: evidenceFor(judgement),
      next: nextFor(judgement),
      ...(judgement.cause.kind === 'hidden' ? { hidden: true as const } : {}),
      ...(isRelieved(judgement) ? { relieved: true as const } : {}),
    },
    chain: chainOf(judgement),
    processes: snapshot.processes.map((process) => summarize(view, process)),
    absent: absentFacts(snapshot),
    stillMs: stillMs(snapshot),
    tookMs: Math.round(snapshot.tookMs),
    at: snapshot.at,
  };
}
