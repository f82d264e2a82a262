import fs from 'node:fs';
import { Failure } from '../../model/failure.js';
import type { Orphan, OrphanCheck, OrphanEvent, OrphanKill } from '../../model/orphan.js';
import { withOwnSignal } from '../../model/own-signal.js';
import { scanForOrphans } from '../../orphans/find.js';
import type { EarlierCheck, GatherOptions } from '../../orphans/gather-facts.js';
import { killFound } from '../../orphans/kill-orphans.js';
import { stopHolders } from '../../orphans/kill-port.js';
import type { SetAside } from '../../orphans/run-book.js';
import { stateHome } from '../../store/state-home.js';
import { livingHolder } from '../client/lock-holder.js';

/** Options of `findOrphans`: which orphans. */
export interface FindOrphansOptions {
  /** State home that holds the runs; default: that of the environment. */
  home?: string | undefined;
  /** Project directories in which to look for suspects; default: the current directory. */
  projectDir?: string | readonly string[] | undefined;
  /** Additional texts that make a command line suspect. */
  patterns?: readonly string[] | undefined;
  /** Another place to look in, such as `ssh:HOST`: marked processes only, and no ports. */
  on?: string | undefined;
  /** Minimum age. */
  olderThanMs?: number | undefined;
  /** Called for a run whose record cannot be read; the others are read all the same. */
  onSetAside?: ((aside: SetAside) => void) | undefined;
}

/** Options of `killOrphans` and `killPort`. */
export interface KillOrphansOptions extends FindOrphansOptions {
  /** Reports what would be stopped, and stops nothing. */
  dryRun?: boolean | undefined;
  /** Stop suspected orphans too. */
  force?: boolean | undefined;
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number | undefined;
  /** Ends the grace time at once. */
  signal?: AbortSignal | undefined;
  /** Called with the result for each orphan: killed, skipped or failed. */
  onEvent?: ((event: OrphanEvent) => void) | undefined;
}

export type { SetAside };

const graceMsDefault = 5000;

/** Finds processes that outlived their run. */
export async function findOrphans(options: FindOrphansOptions = {}): Promise<Orphan[]> {
  if (options.on !== undefined) {
    const { findOrphansOn } = await import('../elsewhere/orphans-on.js');
    return findOrphansOn(options.on, options);
  }
  const { orphans } = await checkOrphans(options);
  return orphans.filter(({ ageMs }) => ageMs >= (options.olderThanMs ?? 0));
}

/** The same for any age, with the number of live runs, which may leave more. */
export async function checkOrphans(
  options: Omit<FindOrphansOptions, 'olderThanMs' | 'on'>,
  earlier?: EarlierCheck,
): Promise<OrphanCheck> {
  const { sightings, book } = scanForOrphans({ ...gatherOptions(options), earlier });
  for (const aside of book.setAside) options.onSetAside?.(aside);
  return { orphans: sightings.map(({ orphan }) => orphan), liveRuns: book.liveHere };
}

/** Stops orphans: confirmed ones only, unless forced. */
export async function killOrphans(options: KillOrphansOptions = {}): Promise<OrphanKill> {
  const kill = options.on === undefined ? await killHere(options) : await killOn(options.on, options);
  reportResults(kill, options);
  return kill;
}

async function killOn(on: string, options: KillOrphansOptions): Promise<OrphanKill> {
  const { killOrphansOn } = await import('../elsewhere/orphans-on.js');
  return killOrphansOn(on, { ...options, ...stopOptions(options) });
}

function killHere(options: KillOrphansOptions): Promise<OrphanKill> {
  return withOwnSignal(options.signal, (signal) =>
    killFound({
      ...gatherOptions(options),
      ...stopOptions({ ...options, signal }),
      olderThanMs: options.olderThanMs ?? 0,
      setAside: (aside) => options.onSetAside?.(aside),
    }),
  );
}

/** Stops the process that listens on a TCP port. */
export async function killPort(
  port: number,
  options: Omit<KillOrphansOptions, 'olderThanMs' | 'patterns' | 'projectDir' | 'on'> = {},
): Promise<OrphanKill> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure('bad-input', `not a port: ${port}`, 'give a number from 1 to 65535');
  }
  const { home, never } = gatherOptions(options);
  const kill = await withOwnSignal(options.signal, (signal) =>
    stopHolders(port, { home, never, ...stopOptions({ ...options, signal }) }),
  );
  reportResults(kill, options);
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

/** The path as the kernel reports it; null: it does not exist. */
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

function reportResults({ results }: OrphanKill, { onEvent }: KillOrphansOptions): void {
  const at = new Date().toISOString();
  for (const { result, because, ...orphan } of results) {
    if (result !== 'would-kill') onEvent?.({ kind: result, at, orphan, because });
  }
}
