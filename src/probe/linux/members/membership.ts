import { isAbsent } from '../../../model/facts/absence.js';
import type { Membership } from '../../../model/run/receipt.js';
import { type ProcessRow, readRow } from '../identity/identify.js';
import { longAgo } from '../machine/pid-turnover.js';

type Place = Pick<ProcessRow, 'pid' | 'parent' | 'group' | 'session'>;
type Identified = Pick<ProcessRow, 'pid' | 'startTicks' | 'group' | 'session'>;

/** A pid that belonged to a member. */
export interface Claim {
  startTicks: number;
  /** Forks of the machine when the pid was last known to belong to the run. */
  confirmedAt: number;
}

export interface TableScan {
  /** A process as it was read now. A pid without one, and not in `unread`, has not been reused. */
  rowOf(pid: number): Identified | undefined;
  /** Pids of processes that could not be read. */
  unread: ReadonlySet<number>;
  /** The members of the previous reading, by pid. */
  before: ReadonlyMap<number, Identified>;
  forks: number;
  mayHaveTurnedOver(from: number, to: number): boolean;
}

/**
 * The pids that still belong to the run; other claims are given up. A claim that cannot be checked now is kept, for its
 * own process is known by its start time; but nothing else follows from it. A member that has ended leaves its pid to
 * its group and its session: the kernel assigns no pid that is still in use there, and reuses a pid only after all
 * others had their turn.
 */
export function confirmClaims(claims: Map<number, Claim>, scan: TableScan): Set<number> {
  const { rowOf, unread, before, forks, mayHaveTurnedOver } = scan;
  const owned = new Set<number>();
  const held = numbersHeld(rowOf, before);
  for (const [number, claim] of claims) {
    const row = rowOf(number);
    const isSame = row === undefined ? held.has(number) : row.startTicks === claim.startTicks;
    if (isSame) claim.confirmedAt = forks;
    if (isSame || (row === undefined && !mayHaveTurnedOver(claim.confirmedAt, forks))) owned.add(number);
    else if (row !== undefined || (!unread.has(number) && forks !== longAgo)) claims.delete(number);
  }
  return owned;
}

/** Groups and sessions that had a member at the previous reading which is still in them. */
function numbersHeld(rowOf: TableScan['rowOf'], before: ReadonlyMap<number, Identified>): Set<number> {
  const held = new Set<number>();
  for (const member of before.values()) {
    const row = rowOf(member.pid);
    if (row === undefined || member.startTicks !== row.startTicks) continue;
    if (member.group === row.group) held.add(row.group);
    if (member.session === row.session) held.add(row.session);
  }
  return held;
}

/**
 * Every process that belongs to a tree and is not `taken` yet. A pid that is `owned` belongs to a member: its children
 * are members, and so are the group and the session it created, which bear its pid. `owned` and `taken` grow with them.
 */
export function takeRelatives<Row extends Place>(
  tied: (number: number) => readonly Row[],
  { owned, taken }: { owned: Set<number>; taken: Set<number> },
): Row[] {
  const relatives: Row[] = [];
  const numbers = [...owned];
  for (const number of numbers) {
    for (const row of tied(number)) {
      if (taken.has(row.pid)) continue;
      taken.add(row.pid);
      owned.add(row.pid);
      numbers.push(row.pid);
      relatives.push(row);
    }
  }
  return relatives;
}

/** Sets the processes of the shim aside: its children and theirs, and when it is gone, all that is left of its session. */
export function takeHelpers<Row extends Place>(
  tied: (number: number) => readonly Row[],
  { shim, helpers, taken }: { shim: number | null; helpers: Set<number>; taken: Set<number> },
): void {
  if (shim === null) return;
  const row = readRow(shim);
  const isGone = isAbsent(row) && row.absent === 'gone';
  const numbers = [shim, ...helpers];
  for (const number of numbers) {
    for (const { pid, parent, session } of tied(number)) {
      const isOrphaned = isGone && session === shim;
      if (taken.has(pid) || (parent !== number && !isOrphaned)) continue;
      taken.add(pid);
      helpers.add(pid);
      numbers.push(pid);
    }
  }
}

/** How a member is tied to the others now, the strongest tie first; empty: not at all. */
export function tiesOf({ pid, parent, group, session }: Place, owned: ReadonlySet<number>): Membership[] {
  const ties: Membership[] = [];
  if (owned.has(parent)) ties.push('descendant');
  if (group !== pid && owned.has(group)) ties.push('group');
  if (session !== pid && owned.has(session)) ties.push('session');
  return ties;
}
