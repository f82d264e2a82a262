import type { Orphan, OrphanWatchStatistics } from './orphan.js';

/** What a background watch knows at this moment: F5. */
export interface OrphanFindings {
  /** Those of the last look. */
  readonly found: readonly Orphan[];
  readonly statistics: OrphanWatchStatistics;
}

/** Nobody looks. */
export const notLooking: OrphanFindings = {
  found: [],
  statistics: { watching: false, lastCheckAt: null, detected: 0, killed: 0 },
};
