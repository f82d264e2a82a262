import type { Lease } from '../../model/run/lease.js';

/** Whether the owner lives; `unknown`: it could not be read, and nothing follows from that. */
export type OwnerStanding = 'there' | 'gone' | 'unknown';

export type LeaseState =
  | { kind: 'held' }
  /** The owner is gone, a notice was given, and the run is stopped when the delay is over. */
  | { kind: 'expiring'; sinceMs: number }
  /** The owner is gone, and everything that follows from that is done. */
  | { kind: 'over' };

export type LeaseAct = 'none' | 'report' | 'stop';

export interface LeaseStep {
  state: LeaseState;
  act: LeaseAct;
}

/** Advances a lease by a poll of its owner. Pure; `nowMs` is from a monotonic clock. */
export function nextLease(
  state: LeaseState,
  owner: OwnerStanding,
  nowMs: number,
  { whenGone, delayMs }: Pick<Lease, 'whenGone' | 'delayMs'>,
): LeaseStep {
  if (state.kind === 'over' || owner === 'unknown') return { state, act: 'none' };
  // An owner that is gone never returns. If a saved state was wrong, a live owner counts.
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
      return { state: { kind: 'over' }, act: 'report' };
    case 'stop':
      return { state: { kind: 'expiring', sinceMs: nowMs }, act: 'report' };
  }
}

/**
 * The state in which the next daemon continues. `goneForMs`: time since the owner was found gone; null: it never was.
 */
export function resumeLease(
  goneForMs: number | null,
  nowMs: number,
  { whenGone, delayMs }: Pick<Lease, 'whenGone' | 'delayMs'>,
): LeaseState {
  if (goneForMs === null) return { kind: 'held' };
  // A changed wall clock must not make the delay longer.
  const passedMs = Math.min(delayMs, Math.max(0, goneForMs));
  return whenGone === 'stop' ? { kind: 'expiring', sinceMs: nowMs - passedMs } : { kind: 'over' };
}
