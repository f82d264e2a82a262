import type { ProcessIdentity } from './identity.js';

/** What becomes of a run when its owner is gone: somebody is told, it is stopped, or nothing at all. */
export const leaseEnds = ['report', 'stop', 'keep'] as const;

export type LeaseEnd = (typeof leaseEnds)[number];

/** How long a run is left alone after the end of its owner, before it is stopped. */
export const leaseDelayS = 30;
export const leaseDelaySMax = 86_400;

/** A run that is tied to another process. */
export interface Lease {
  owner: ProcessIdentity;
  whenGone: LeaseEnd;
  /** Before it is stopped. */
  delayMs: number;
  /** Whose it is when its owner is gone, unless it was given to somebody else before. */
  handOver?: HandOver | undefined;
}

/** From one name to another; null: it belongs to nobody. */
export interface HandOver {
  from: string;
  to: string | null;
}
