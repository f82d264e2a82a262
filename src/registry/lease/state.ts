import type { Lease } from '../../model/run/lease.js';

/** Whether the owner lives; `unknown`: it could not be read, and nothing follows from that. */
export type OwnerStanding = 'there' | 'gone' | 'unknown';

/** How far a lease has come. */
export type LeaseState =
  | { kind: 'held' }
  /** Its owner is gone, somebody was told, and it is stopped when the delay is over. */
  | { kind: 'expiring'; sinceMs: number }
  /** Its owner is gone, and all that follows from that was done. */
  | { kind: 'over' };

export type LeaseAct = 'none' | 'tell' | 'stop';

export interface LeaseStep {
  state: LeaseState;
  act: LeaseAct;
}

/** One look at the owner further. Pure; `nowMs` is of a clock that nobody can set. */
export function nextLease(
  state: LeaseState,
  owner: OwnerStanding,
  nowMs: number,
  { whenGone, delayMs }: Pick<Lease, 'whenGone' | 'delayMs'>,
): LeaseStep {
  if (state.kind === 'over' || owner === 'unknown') return { state, act: 'none' };
  // Nobody comes back; but if a saved state was wrong, whoever is there counts.
  if (owner === 'there') return { state: { kind: 'held' }, act: 'none' };
  if (state.kind === 'expiring') {
    return nowMs - state.sinceMs < delayMs
      ? { state, act: 'none' }
      : { state: { kind: 'over' }, act: 'stop' };
  }
  switch (whenGone) {
    case 'keep':
      return { state: { kind: 'over' }, act: 'none' };
    case 'report':
      return { state: { kind: 'over' }, act: 'tell' };
    case 'stop':
      return { state: { kind: 'expiring', sinceMs: nowMs }, act: 'tell' };
  }
}

/** Where the next daemon goes on: `goneForMs` since the owner was found gone, null: it never was. */
export function resumeLease(
  goneForMs: number | null,
  nowMs: number,
  { whenGone, delayMs }: Pick<Lease, 'whenGone' | 'delayMs'>,
): LeaseState {
  if (goneForMs === null) return { kind: 'held' };
  // A wall clock that was set must not make the delay longer than it is.
  const passedMs = Math.min(delayMs, Math.max(0, goneForMs));
  return whenGone === 'stop' ? { kind: 'expiring', sinceMs: nowMs - passedMs } : { kind: 'over' };
}
