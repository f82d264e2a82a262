import type { OperationOutput } from '../../../control/operations/table.js';

type Run = OperationOutput<'list'>['runs'][number];

/** Ended runs shown without --all. */
export const endedShown = 10;

/** Runs that need attention first, then running ones, then ended ones. */
function rank(run: Run): number {
  if (run.status !== 'running') return 2;
  return run.health === 'healthy' && !run.needsInput ? 1 : 0;
}

const healthRanks = ['confirmed-stuck', 'likely-stuck', 'suspicious', 'healthy'];
const healthRank = ({ health }: Run) => healthRanks.indexOf(health ?? 'healthy');
const endedMs = (run: Run) => Date.parse(run.startedAt) + run.uptimeS * 1000;

/** Within a rank: the worst first, then the oldest; ended runs: the latest first. */
export function orderRuns(runs: readonly Run[]): Run[] {
  return runs.toSorted((a, b) => {
    const byRank = rank(a) - rank(b);
    if (byRank !== 0) return byRank;
    if (a.status !== 'running') return endedMs(b) - endedMs(a);
    const byHealth = healthRank(a) - healthRank(b);
    return byHealth !== 0 ? byHealth : Date.parse(a.startedAt) - Date.parse(b.startedAt);
  });
}

/** Drops older ended runs and returns how many. */
export function dropEnded(ordered: readonly Run[]): { shown: Run[]; hidden: number } {
  let ended = 0;
  const shown = ordered.filter((run) => {
    if (run.status === 'running') return true;
    ended += 1;
    return ended <= endedShown;
  });
  return { shown, hidden: ordered.length - shown.length };
}
