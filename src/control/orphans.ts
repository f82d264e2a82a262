import fs from 'node:fs';
import { Failure } from '../model/failure.js';
import type { Orphan, OrphanCheck, OrphanEvent, OrphanKill } from '../model/orphan.js';
import { withOwnSignal } from '../model/own-signal.js';
import { scanForOrphans } from '../orphans/find.js';
import type { GatherOptions } from '../orphans/gather-facts.js';
import { killFound } from '../orphans/kill-orphans.js';
import { stopHolders } from '../orphans/kill-port.js';
import type { SetAside } from '../orphans/run-book.js';
import { stateHome } from '../store/state-home.js';
import { livingHolder } from './client/lock-holder.js';

export interface FindOrphansOptions {
  /** State home whose runs are meant; not given: that of the environment. */
  home?: string | undefined;
  /** Suspects are looked for in here, or in each of these; not given: where we are. */
  projectDir?: string | readonly string[] | undefined;
  /** More texts that make a command line suspect, besides the usual ones. */
  patterns?: readonly string[] | undefined;
  /** Only those that are at least so old. */
  olderThanMs?: number | undefined;
  /** A run whose record cannot be read: the others are looked at all the same (F7). */
  onSetAside?: ((aside: SetAside) => void) | undefined;
}

export interface KillOrphansOptions extends FindOrphansOptions {
  /** Says what would be done, and does nothing. */
  dryRun?: boolean | undefined;
  /** Suspected ones as well. */
  force?: boolean | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  /** Ends the grace at once. */
  signal?: AbortSignal | undefined;
  /** What became of each: killed, skipped or failed. */
  onEvent?: ((event: OrphanEvent) => void) | undefined;
}

export type { SetAside };

/** H1. */
const graceMsDefault = 5000;

/** What outlived its run: F1 to F3. */
export async function findOrphans(options: FindOrphansOptions = {}): Promise<Orphan[]> {
  const { orphans } = await checkOrphans(options);
  return orphans.filter(({ ageMs }) => ageMs >= (options.olderThanMs ?? 0));
}

/** The same of any age, and how many runs may leave more. */
export async function checkOrphans(options: Omit<FindOrphansOptions, 'olderThanMs'>): Promise<OrphanCheck> {
  const { sightings, book } = scanForOrphans(gatherOptions(options));
  for (const aside of book.setAside) options.onSetAside?.(aside);
  return { orphans: sightings.map(({ orphan }) => orphan), liveRuns: book.liveHere };
}

/** Stops them, confirmed ones only unless forced: F3, F4. */
export async function killOrphans(options: KillOrphansOptions = {}): Promise<OrphanKill> {
  const kill = await withOwnSignal(options.signal, (signal) =>
    killFound({
      ...gatherOptions(options),
      ...stopOptions({ ...options, signal }),
      olderThanMs: options.olderThanMs ?? 0,
      setAside: (aside) => options.onSetAside?.(aside),
    }),
  );
  tell(kill, options);
  return kill;
}

/** Stops whatever listens on a TCP port: F8. */
export async function killPort(
  port: number,
  options: Omit<KillOrphansOptions, 'olderThanMs' | 'patterns' | 'projectDir'> = {},
): Promise<OrphanKill> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure('bad-input', `${port} is no port`, 'a port is a number from 1 to 65535');
  }
  const { home, never } = gatherOptions(options);
  const kill = await withOwnSignal(options.signal, (signal) =>
    stopHolders(port, { home, never, ...stopOptions({ ...options, signal }) }),
  );
  tell(kill, options);
  return kill;
}

function gatherOptions({ home, projectDir, patterns }: FindOrphansOptions): GatherOptions {
  const place = stateHome(home === undefined ? process.env : { UNSTUCK_HOME: home });
  const daemon = livingHolder(place)?.identity.pid;
  return {
    home: place,
    projectDirs: [projectDir ?? process.cwd()].flat().flatMap((dir) => realDirectory(dir) ?? []),
    patterns: patterns ?? [],
    never: daemon === undefined ? [] : [daemon],
  };
}

/** As the kernel names it; null: it is not there, and nobody can be in it. */
function realDirectory(dir: string): string | null {
  try {
    return fs.realpathSync(dir);
  } catch {
    return null;
  }
}

function stopOptions({ dryRun, force, graceMs, signal }: KillOrphansOptions) {
  return { dryRun: dryRun ?? false, force: force ?? false, graceMs: graceMs ?? graceMsDefault, signal };
}

function tell({ results }: OrphanKill, { onEvent }: KillOrphansOptions): void {
  const at = new Date().toISOString();
  for (const { result, because, ...orphan } of results) {
    if (result !== 'would-kill') onEvent?.({ kind: result, at, orphan, because });
  }
}
