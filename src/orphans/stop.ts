import { isAbsent } from '../model/absence.js';
import type { Orphan, OrphanEvidence, OrphanKill, OrphanResult } from '../model/orphan.js';
import type { Membership, Receipt } from '../model/receipt.js';
import { isOwn } from '../probe/linux/process-owner.js';
import { readRow } from '../probe/linux/process-row.js';
import { createSender, type Send } from '../supervise/terminate/send-signal.js';
import { terminate } from '../supervise/terminate/terminate.js';
import type { Numbered } from './facts.js';
import type { Sighting } from './find.js';
import type { Gathered } from './gather-facts.js';
import { OrphanScan, type Root } from './orphan-scan.js';
import { helperSessions } from './ties.js';
import { type Trouble, tipFor, troubles } from './words.js';

/** What is to become of one. */
export interface Sentence extends Sighting {
  /** null: it is to be stopped. */
  spare: { result: 'skipped' | 'failed'; because: string } | null;
}

export interface StopOptions {
  dryRun: boolean;
  graceMs: number;
  signal: AbortSignal | undefined;
  /** Whoever bears the name of the same run goes with it. */
  wholeRuns: boolean;
  /** Not to be stopped, and not worth a word. */
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

/** Stops all that are to be stopped at once, however many runs they come from: F3, F4, H2, H3. */
export async function stopOrphans(
  sentences: readonly Sentence[],
  { facts }: Pick<Gathered, 'facts'>,
  { dryRun, graceMs, signal, wholeRuns, spared }: StopOptions,
): Promise<OrphanKill> {
  const doomed = sentences.filter(({ spare }) => spare === null).map(({ orphan }) => orphan);
  const family = new Set(doomed.flatMap(({ run }) => run?.id ?? []));
  const receipt =
    dryRun || doomed.length === 0
      ? null
      : await terminate({
          scan: new OrphanScan({
            roots: doomed.map(rootOf),
            runIds: wholeRuns ? family : new Set(),
            family,
            spared: [
              ...spared,
              ...sentences.filter(({ spare }) => spare !== null).map(({ orphan }) => orphan),
            ],
            keeperSessions: helperSessions(facts.processes, facts.runs.values()),
            never: facts.never,
          }),
          signal: 'SIGTERM',
          graceMs,
          send: sendToOwn(),
          ...(signal !== undefined && { abort: signal }),
        });
  const results = sentences.map(({ orphan, spare }): OrphanResult => {
    if (spare !== null) return { ...orphan, ...spare };
    return receipt === null ? { ...orphan, result: 'would-kill', because: null } : resultOf(orphan, receipt);
  });
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

/** Asked once more before each signal: a process can become a program of another user at any time. */
function sendToOwn(): Send {
  const send = createSender(null);
  return (to, signal) => (isOwn(to.pid) ? send(to, signal) : isAbsent(readRow(to.pid)) ? 'gone' : 'refused');
}

/** Whoever was gone before the first signal is gone: that is what was wanted. */
function resultOf(orphan: Orphan, receipt: Receipt): OrphanResult {
  const { pid, startTicks } = orphan;
  const entry = receipt.processes.find((one) => one.pid === pid && one.startTicks === startTicks);
  const result = entry?.result ?? 'ended';
  if (result === 'ended') return { ...orphan, result: 'killed', because: null };
  return { ...orphan, result: 'failed', because: troubles[result satisfies Trouble] };
}
