import type { Membership } from '../../../model/run/receipt.js';
import type { ProcessRow } from '../identity/identify.js';
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
  /** Every process that was read now. A pid missing here and in `unread` has not been reused. */
  rows: readonly Identified[];
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
  const { rows, unread, before, forks, mayHaveTurnedOver } = scan;
  const owned = new Set<number>();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const held = numbersHeld(rows, before);
  for (const [number, claim] of claims) {
    const row = byPid.get(number);
    const isSame = row === undefined ? held.has(number) : row.startTicks === claim.startTicks;
    if (isSame) claim.confirmedAt = forks;
    if (isSame || (row === undefined && !mayHaveTurnedOver(claim.confirmedAt, forks))) owned.add(number);
    else if (row !== undefined || (!unread.has(number) && forks !== longAgo)) claims.delete(number);
  }
  return owned;
}

/** Groups and sessions that had a member at the previous reading which is still in them. */
function numbersHeld(rows: readonly Identified[], before: ReadonlyMap<number, Identified>): Set<number> {
  const held = new Set<number>();
  for (const { pid, startTicks, group, session } of rows) {
    const member = before.get(pid);
    if (member === undefined || member.startTicks !== startTicks) continue;
    if (member.group === group) held.add(group);
    if (member.session === session) held.add(session);
  }
  return held;
}

/**
 * Moves every process that belongs to a tree from `candidates` to the answer. A pid that is `owned` belongs to a
 * member: its children are members, and so are the group and the session it created, which bear its pid. `owned` grows
 * with them.
 */
export function takeRelatives<Row extends Place>(candidates: Set<Row>, owned: Set<number>): Row[] {
  const relatives: Row[] = [];
  for (let before = -1; before !== relatives.length; ) {
    before = relatives.length;
    for (const row of candidates) {
      if (!owned.has(row.parent) && !owned.has(row.group) && !owned.has(row.session)) continue;
      candidates.delete(row);
      owned.add(row.pid);
      relatives.push(row);
    }
  }
  return relatives;
}

/** How a member is tied to the others now, the strongest tie first; empty: not at all. */
export function tiesOf({ pid, parent, group, session }: Place, owned: ReadonlySet<number>): Membership[] {
  const ties: Membership[] = [];
  if (owned.has(parent)) ties.push('descendant');
  if (group !== pid && owned.has(group)) ties.push('group');
  if (session !== pid && owned.has(session)) ties.push('session');
  return ties;
}
