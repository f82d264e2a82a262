import { isAbsent } from '../model/facts/absence.js';
import type { Orphan, OrphanEvidence, OrphanKill, OrphanResult } from '../model/orphan.js';
import type { Membership, Receipt } from '../model/run/receipt.js';
import { isOwn, readRow } from '../probe/processes.js';
import { createSender, type Send } from '../run/stop/send-signal.js';
import { terminate } from '../run/stop/terminate.js';
import type { Numbered } from './facts.js';
import type { Sighting } from './find.js';
import type { Gathered } from './gather-facts.js';
import { OrphanScan, type Root } from './orphan-scan.js';
import { helperSessions } from './ties.js';
import { type Trouble, tipFor, troubles } from './words.js';

/** What happens to an orphan. */
export interface Decision extends Sighting {
  /** null: stop it. */
  spare: { result: 'skipped' | 'failed'; because: string } | null;
}

export interface StopOptions {
  dryRun: boolean;
  graceMs: number;
  signal: AbortSignal | undefined;
  /** Also stop every process marked with the same run. */
  wholeRuns: boolean;
  /** Left alone and not reported. */
  spared: readonly Numbered[];
}

const memberships: Record<OrphanEvidence, Membership | null> = {
  recorded: 'leader',
  'run-id': 'run-id',
  descendant: 'descendant',
  group: 'group',
  session: 'session',
  lineage: 'lineage',
  pattern: null,
};

/** Stops all chosen orphans together, across any number of runs. */
export async function stopOrphans(
  decisions: readonly Decision[],
  { facts }: Pick<Gathered, 'facts'>,
  { dryRun, graceMs, signal, wholeRuns, spared }: StopOptions,
): Promise<OrphanKill> {
  const targets = decisions.filter(({ spare }) => spare === null).map(({ orphan }) => orphan);
  const family = new Set(targets.flatMap(({ run }) => run?.id ?? []));
  const receipt =
    dryRun || targets.length === 0
      ? null
      : await terminate({
          scan: new OrphanScan({
            roots: targets.map(rootOf),
            runIds: wholeRuns ? family : new Set(),
            family,
            spared: [
              ...spared,
              ...decisions.filter(({ spare }) => spare !== null).map(({ orphan }) => orphan),
            ],
            shimSessions: helperSessions(facts.processes, facts.runs.values()),
            never: facts.never,
          }),
          signal: 'SIGTERM',
          graceMs,
          send: sendToOwn(),
          ...(signal !== undefined && { abort: signal }),
        });
  const results = decisions.map(({ orphan, spare }): OrphanResult => {
    if (spare !== null) return { ...orphan, ...spare };
    return receipt === null ? { ...orphan, result: 'would-kill', because: null } : resultOf(orphan, receipt);
  });
  return killOf(results, receipt);
}

/** The results with their counts. */
export function killOf(results: OrphanResult[], receipt: Receipt | null): OrphanKill {
  const count = (result: OrphanResult['result']) => results.filter((one) => one.result === result).length;
  return {
    results,
    killed: count('killed'),
    skipped: count('skipped'),
    failed: count('failed'),
    receipt,
    tip: tipFor(results),
  };
}

function rootOf({ pid, startTicks, evidence }: Orphan): Root {
  return { pid, startTicks, because: evidence.flatMap((one) => memberships[one] ?? []) };
}

/** Checked before each signal: a process can change its user at any time. */
function sendToOwn(): Send {
  const send = createSender(null);
  return (to, signal) => (isOwn(to.pid) ? send(to, signal) : isAbsent(readRow(to.pid)) ? 'gone' : 'refused');
}

/** A process that was gone before the first signal counts as killed. */
function resultOf(orphan: Orphan, receipt: Receipt): OrphanResult {
  const { pid, startTicks } = orphan;
  const entry = receipt.processes.find((one) => one.pid === pid && one.startTicks === startTicks);
  const result = entry?.result ?? 'ended';
  if (result === 'ended') return { ...orphan, result: 'killed', because: null };
  return { ...orphan, result: 'failed', because: troubles[result satisfies Trouble] };
}
