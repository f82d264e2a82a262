import type { OrphanEvent } from '../../model/orphan.js';
import { EarlierCheck } from '../../orphans/gather-facts.js';
import { OrphanWatch } from '../../orphans/orphan-watch.js';
import { privateHome } from '../../store/state-home.js';
import { checkOrphans, type FindOrphansOptions, killOrphans } from './orphans.js';
import { recordOrphan } from './record-orphan.js';

/** Options of `watchOrphans`. */
export interface WatchOrphansOptions extends Omit<FindOrphansOptions, 'projectDir'> {
  /**
   * Project directory in which to look for suspects; a function is called before each check. Default: the current
   * directory.
   */
  projectDir?: string | (() => readonly string[]) | undefined;

  /** Time from the end of one check to the next; default 60 s, at least 100 ms. */
  everyMs?: number | undefined;
  /** Minimum age; default 30 min. */
  olderThanMs?: number | undefined;
  /** Stop confirmed orphans; default false. */
  autoKill?: boolean | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  /** Number of ended runs: `hasWork` stays true until a check has followed. */
  runsEnded?: (() => number) | undefined;
  onEvent?: ((event: OrphanEvent) => void) | undefined;
  /** Called when a check fails; the next check is made all the same. */
  onError?: ((error: unknown) => void) | undefined;
}

export type { OrphanWatch };

const everyMsDefault = 60_000;
const everyMsMin = 100;
const olderThanMsDefault = 30 * 60_000;

/**
 * Checks for orphans in the background until `stop()`. Every event is also a line in orphans.log of the state home. It
 * does not keep the process alive.
 */
export function watchOrphans(options: WatchOrphansOptions = {}): OrphanWatch {
  const { everyMs = everyMsDefault, autoKill = false, graceMs, onEvent, onError, ...more } = options;
  const { olderThanMs = olderThanMsDefault, projectDir, runsEnded, ...given } = more;
  const home = privateHome(given.home === undefined ? process.env : { UNSTUCK_HOME: given.home });
  const where = () => (typeof projectDir === 'function' ? projectDir() : projectDir);
  let earlier = new EarlierCheck();
  const find = async () => {
    const check = { ...given, home, projectDir: where() };
    const found = await checkOrphans(check, earlier);
    if (found.orphans.length === 0) return found;
    // What is reported was read now: a program may have cleared its environment since.
    earlier = new EarlierCheck();
    return checkOrphans(check, earlier);
  };
  return new OrphanWatch({
    everyMs: Math.max(everyMsMin, everyMs),
    olderThanMs,
    autoKill,
    find,
    kill: (olderThanMs) => killOrphans({ ...given, home, projectDir: where(), olderThanMs, graceMs }),
    ...(runsEnded !== undefined && { runsEnded }),
    report: (event) => {
      recordOrphan(event, home);
      onEvent?.(event);
    },
    failed: (error) => onError?.(error),
  });
}
