import type { Orphan, OrphanWatchStatistics } from './orphan.js';

/** Results of the background watch for orphans. */
export interface OrphanFindings {
  /** Orphans of the last check. */
  readonly found: readonly Orphan[];
  readonly statistics: OrphanWatchStatistics;
}

/** The watch is off. */
export const notLooking: OrphanFindings = {
  found: [],
  statistics: { watching: false, lastCheckAt: null, detected: 0, killed: 0 },
};
