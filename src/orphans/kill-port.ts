import { Failure } from '../model/failure.js';
import type { OrphanKill } from '../model/orphan.js';
import { holdersOf } from '../probe/ports.js';
import type { OrphanFacts } from './facts.js';
import { describeAll, type Sighting } from './find.js';
import { type GatherOptions, gatherFacts } from './gather-facts.js';
import { type Finding, judgeOrphans, pidMin } from './judge-orphans.js';
import { type Decision, type StopOptions, stopOrphans } from './stop.js';
import { Ties } from './ties.js';
import { notProven, troubles } from './words.js';

export interface KillPortOptions extends Pick<StopOptions, 'dryRun' | 'graceMs' | 'signal'> {
  force: boolean;
}

/** Stops the process that listens on a port, with its descendants, if it belongs to a run. */
export async function stopHolders(
  port: number,
  options: KillPortOptions & Pick<GatherOptions, 'home' | 'never'>,
): Promise<OrphanKill> {
  const gathered = gatherFacts({ ...options, projectDirs: [], patterns: [] });
  const { facts } = gathered;
  const holders = holdersOf(port, [...facts.processes.keys()]);
  if (holders === null) {
    throw new Failure(
      'no-such-process',
      `no process listens on port ${port}`,
      'check the port with: ss -ltnp (a port inside a container is not visible here)',
    );
  }
  if (holders.length === 0) {
    throw new Failure(
      'not-yours',
      `the process that listens on port ${port} belongs to another user or is in a container`,
      `try: sudo unstuck kill --port ${port} --force`,
    );
  }
  const orphans = new Map(judgeOrphans(facts).map((finding) => [finding.pid, finding]));
  const ties = new Ties(facts.processes, facts.runs.values());
  const findings = holders.flatMap((pid) => orphans.get(pid) ?? holderOf(pid, facts, ties) ?? []);
  const decisions = describeAll(findings, gathered).map((sighting) => decide(sighting, facts, options.force));
  return stopOrphans(decisions, gathered, { ...options, wholeRuns: false, spared: [] });
}

/** A holder that is not an orphan: part of a live run, or of no known run; null: it has ended. */
function holderOf(pid: number, { processes, runs }: OrphanFacts, ties: Ties): Finding | null {
  const process = processes.get(pid);
  if (process === undefined) return null;
  const { startTicks, mark } = process;
  const recorded = ties.to(process).find(({ how }) => how === 'recorded');
  const runId = mark ?? recorded?.id ?? null;
  return {
    pid,
    startTicks,
    classification: runId === null ? 'suspected' : 'confirmed',
    evidence: [
      ...(recorded === undefined ? [] : (['recorded'] as const)),
      ...(mark === null ? [] : (['run-id'] as const)),
    ],
    runId: runId !== null && runs.has(runId) ? runId : null,
    parent: null,
    pattern: null,
  };
}

function decide(sighting: Sighting, { never }: OrphanFacts, force: boolean): Decision {
  const { orphan, isOwn } = sighting;
  const spare = (result: 'skipped' | 'failed', because: string): Decision => ({
    ...sighting,
    spare: { result, because },
  });
  if (!isOwn) return spare('failed', troubles.foreign);
  if (orphan.pid < pidMin || never.has(orphan.pid)) return spare('failed', troubles.ancestor);
  if (orphan.classification === 'suspected' && !force) return spare('skipped', notProven);
  return { ...sighting, spare: null };
}
