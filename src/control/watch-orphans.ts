import type { OrphanEvent } from '../model/orphan.js';
import { OrphanWatch } from '../orphans/orphan-watch.js';
import { privateHome } from '../store/private-home.js';
import { checkOrphans, type FindOrphansOptions, killOrphans } from './orphans.js';
import { recordOrphan } from './record-orphan.js';

export interface WatchOrphansOptions extends Omit<FindOrphansOptions, 'projectDir'> {
  /** Suspects are looked for in here; a function is asked before each check. Not given: where we are. */
  projectDir?: string | (() => readonly string[]) | undefined;

  /** From the end of one look to the next; 60 s, and never less than 100 ms. */
  everyMs?: number | undefined;
  /** Only those that are at least so old; 30 min. */
  olderThanMs?: number | undefined;
  /** Stops those that are proven to be ours; off. */
  autoKill?: boolean | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  /** Grows with every run that ends: `hasWork` of the watch holds until a check has followed. */
  runsEnded?: (() => number) | undefined;
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
  const { everyMs = everyMsDefault, autoKill = false, graceMs, onEvent, onError, ...more } = options;
  const { olderThanMs = olderThanMsDefault, projectDir, runsEnded, ...given } = more;
  const home = privateHome(given.home === undefined ? process.env : { UNSTUCK_HOME: given.home });
  const where = () => (typeof projectDir === 'function' ? projectDir() : projectDir);
  return new OrphanWatch({
    everyMs: Math.max(everyMsMin, everyMs),
    olderThanMs,
    autoKill,
    find: () => checkOrphans({ ...given, home, projectDir: where() }),
    kill: (olderThanMs) => killOrphans({ ...given, home, projectDir: where(), olderThanMs, graceMs }),
    ...(runsEnded !== undefined && { runsEnded }),
    report: (event) => {
      recordOrphan(event, home);
      onEvent?.(event);
    },
    failed: (error) => onError?.(error),
  });
}
