import type { OrphanEvent } from '../model/orphan.js';
import { OrphanWatch } from '../orphans/orphan-watch.js';
import { privateHome } from '../store/private-home.js';
import { type FindOrphansOptions, findOrphans, killOrphans } from './orphans.js';
import { recordOrphan } from './record-orphan.js';

export interface WatchOrphansOptions extends FindOrphansOptions {
  /** From the end of one look to the next; 60 s, and never less than 100 ms. */
  everyMs?: number | undefined;
  /** Only those that are at least so old; 30 min. */
  olderThanMs?: number | undefined;
  /** Stops those that are proven to be ours; off. */
  autoKill?: boolean | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  onEvent?: ((event: OrphanEvent) => void) | undefined;
  /** A look that failed; the next one is made all the same. */
  onError?: ((error: unknown) => void) | undefined;
}

export type { OrphanWatch };

const everyMsDefault = 60_000;
const everyMsMin = 100;
const olderThanMsDefault = 30 * 60_000;

/**
 * Looks for orphans in the background until `stop()`: F5. Every event is also a line in orphans.log of the state home.
 * It keeps no process alive that has nothing else to do.
 */
export function watchOrphans(options: WatchOrphansOptions = {}): OrphanWatch {
  const { everyMs = everyMsDefault, autoKill = false, graceMs, onEvent, onError, ...given } = options;
  const home = privateHome(given.home === undefined ? process.env : { UNSTUCK_HOME: given.home });
  return new OrphanWatch({
    everyMs: Math.max(everyMsMin, everyMs),
    olderThanMs: given.olderThanMs ?? olderThanMsDefault,
    autoKill,
    find: (olderThanMs) => findOrphans({ ...given, home, olderThanMs }),
    kill: (olderThanMs) => killOrphans({ ...given, home, olderThanMs, graceMs }),
    tell: (event) => {
      recordOrphan(event, home);
      onEvent?.(event);
    },
    failed: (error) => onError?.(error),
  });
}
