import type { Classification, OrphanEvidence } from '../model/orphan.js';
import type { OrphanFacts, ProcessFacts, RunFacts } from './facts.js';
import { isAbandoned } from './is-abandoned.js';
import { Ties } from './ties.js';

/** Lower pids belong to the system and are never orphans. */
export const pidMin = 100;

/** A process that outlived its run, or may have. Facts only, no text. */
export interface Finding {
  pid: number;
  startTicks: number;
  classification: Classification;
  /** The strongest first. */
  evidence: OrphanEvidence[];
  /** null: matched by a pattern only. */
  runId: string | null;
  /** Pid of the parent, itself an orphan, when that is the evidence. */
  parent: number | null;
  /** Name of the pattern, when that is the evidence. */
  pattern: string | null;
}

/** Decides from facts alone which processes outlived their run, and how certain that is. */
export function judgeOrphans(facts: OrphanFacts): Finding[] {
  const ties = new Ties(facts.processes, facts.runs.values());
  const found = new Map<number, Finding>();
  const open: ProcessFacts[] = [];
  for (const process of facts.processes.values()) {
    if (!mayBeOrphan(process, facts) || ties.isHelper(process)) continue;
    const run = process.mark === null ? undefined : facts.runs.get(process.mark);
    if (run?.state === 'lives') continue;
    const known = ties.to(process).filter(({ id }) => run === undefined || id === run.id);
    // Tied to a live run: stopping that run stops this process too.
    if (run === undefined && known.some(({ id }) => facts.runs.get(id)?.state === 'lives')) continue;
    const finding = findingOf(process, run, known);
    if (finding === null) open.push(process);
    else found.set(process.pid, finding);
  }
  addDescendants(found, open);
  for (const process of open) {
    const finding = found.has(process.pid) ? null : byPattern(process, facts);
    if (finding !== null) found.set(process.pid, finding);
  }
  addDescendants(found, open);
  return [...found.values()];
}

function mayBeOrphan({ pid, kernelThread, ended }: ProcessFacts, { never }: OrphanFacts): boolean {
  return pid >= pidMin && !kernelThread && !ended && !never.has(pid);
}

function findingOf(
  { pid, startTicks }: ProcessFacts,
  marked: RunFacts | undefined,
  ties: ReturnType<Ties['to']>,
): Finding | null {
  const isRecorded = ties.some(({ how }) => how === 'recorded');
  const evidence: OrphanEvidence[] = [
    ...(isRecorded ? (['recorded'] as const) : []),
    ...(marked === undefined ? [] : (['run-id'] as const)),
    ...new Set(ties.map(({ how }) => how).filter((how) => how !== 'recorded')),
  ];
  const runId = marked?.id ?? (ties.find(({ how }) => how === 'recorded') ?? ties[0])?.id ?? null;
  if (evidence.length === 0) return null;
  const isProven = isRecorded || marked !== undefined;
  const classification = isProven ? 'confirmed' : 'suspected';
  return { pid, startTicks, classification, evidence, runId, parent: null, pattern: null };
}

/** Adds the descendants of orphans. They lack the mark that would prove more. */
function addDescendants(found: Map<number, Finding>, open: readonly ProcessFacts[]): void {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, startTicks, parent, mark } of open) {
      const above = found.get(parent);
      // A marked process that was not found belongs to a run about which nothing is known.
      if (above === undefined || mark !== null || found.has(pid)) continue;
      found.set(pid, {
        pid,
        startTicks,
        classification: 'suspected',
        evidence: ['descendant'],
        runId: above.runId,
        parent,
        pattern: null,
      });
    }
  }
}

function byPattern(process: ProcessFacts, { processes, patterns }: OrphanFacts): Finding | null {
  const { pid, startTicks, command, mark } = process;
  if (command === null || mark !== null || !isAbandoned(process, processes)) return null;
  const pattern = patterns.find(({ matches }) => matches(command));
  if (pattern === undefined) return null;
  return {
    pid,
    startTicks,
    classification: 'suspected',
    evidence: ['pattern'],
    runId: null,
    parent: null,
    pattern: pattern.name,
  };
}
