import type { ProcessIdentity } from '../facts/identity.js';

/** What happens to a run when its owner is gone: it is reported, it is stopped, or nothing. */
export const leaseEnds = ['report', 'stop', 'keep'] as const;

export type LeaseEnd = (typeof leaseEnds)[number];

/** Delay between the end of the owner and the stop of the run. */
export const leaseDelayS = 30;
export const leaseDelaySMax = 86_400;

/** A run that is tied to another process. */
export interface Lease {
  owner: ProcessIdentity;
  whenGone: LeaseEnd;
  /** Delay before it is stopped. */
  delayMs: number;
  /** The next owner when the process is gone, unless the run was handed over before. */
  handOver?: HandOver | undefined;
}

/** From one owner to another; null: no owner. */
export interface HandOver {
  from: string;
  to: string | null;
}
