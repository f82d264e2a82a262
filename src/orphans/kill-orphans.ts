import type { OrphanKill } from '../model/orphan.js';
import { type Sighting, scanForOrphans } from './find.js';
import type { GatherOptions } from './gather-facts.js';
import type { SetAside } from './run-book.js';
import { type Decision, type StopOptions, stopOrphans } from './stop.js';
import { notProven, troubles } from './words.js';

export interface KillOptions extends Omit<StopOptions, 'wholeRuns' | 'spared'> {
  /** Stop suspected orphans too. */
  force: boolean;
  /** Leave younger orphans alone. */
  olderThanMs: number;
  /** Called for each run whose record cannot be read. */
  setAside(aside: SetAside): void;
}

/** Stops processes that outlived their run: confirmed orphans only, unless forced. */
export async function killFound(options: GatherOptions & KillOptions): Promise<OrphanKill> {
  const { force, olderThanMs } = options;
  const { sightings, ...gathered } = scanForOrphans(options);
  for (const aside of gathered.book.setAside) options.setAside(aside);
  const young = sightings.filter(({ orphan }) => orphan.ageMs < olderThanMs);
  const old = sightings.filter(({ orphan }) => orphan.ageMs >= olderThanMs);
  return stopOrphans(
    old.map((sighting) => decide(sighting, force)),
    gathered,
    {
      ...options,
      wholeRuns: true,
      spared: young.map(({ orphan }) => orphan),
    },
  );
}

function decide(sighting: Sighting, force: boolean): Decision {
  const isWanted = force || sighting.orphan.classification === 'confirmed';
  if (!isWanted) return { ...sighting, spare: { result: 'skipped', because: notProven } };
  return { ...sighting, spare: sighting.isOwn ? null : { result: 'failed', because: troubles.foreign } };
}
