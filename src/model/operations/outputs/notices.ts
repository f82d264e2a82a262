import type { Notice } from '../../notice.js';
import type { Orphan, OrphanWatchStatistics } from '../../orphan.js';

/** A notice as one consumer is given it. */
export interface GivenNotice extends Omit<Notice, 'key' | 'offset'> {
  /** This consumer was given it before and has not acknowledged it. */
  repeat: boolean;
  /** This consumer, as a reader, has got the news from wait or poll already. */
  known: boolean;
}

/** Notices of runs. */
export interface NoticesOutput {
  notices: GivenNotice[];
  /** Acknowledge this number to be given only newer notices. */
  last: number;
  /** How many more there are. */
  more: number;
}

/** Orphans that the daemon has found. */
export interface OrphansOutput {
  orphans: Orphan[];
  watch: OrphanWatchStatistics;
}
