import type { OrphanKill } from '../model/orphan.js';
import { type Sighting, sightOrphans } from './find.js';
import type { GatherOptions } from './gather-facts.js';
import type { SetAside } from './run-book.js';
import { type Sentence, type StopOptions, stopOrphans } from './stop.js';
import { notProven, troubles } from './words.js';

export interface KillOptions extends Omit<StopOptions, 'wholeRuns' | 'spared'> {
  /** Suspected ones as well. */
  force: boolean;
  /** Only those that are at least so old. */
  olderThanMs: number;
  /** For each run whose record cannot be read. */
  setAside(aside: SetAside): void;
}

/** Stops what outlived its run, those that are proven to be ours unless forced: F3. */
export async function killFound(options: GatherOptions & KillOptions): Promise<OrphanKill> {
  const { force, olderThanMs } = options;
  const { sightings, ...gathered } = sightOrphans(options);
  for (const aside of gathered.book.setAside) options.setAside(aside);
  const young = sightings.filter(({ orphan }) => orphan.ageMs < olderThanMs);
  const old = sightings.filter(({ orphan }) => orphan.ageMs >= olderThanMs);
  return stopOrphans(
    old.map((one) => sentenceOf(one, force)),
    gathered,
    {
      ...options,
      wholeRuns: true,
      spared: young.map(({ orphan }) => orphan),
    },
  );
}

function sentenceOf(sighting: Sighting, force: boolean): Sentence {
  const isWanted = force || sighting.orphan.classification === 'confirmed';
  if (!isWanted) return { ...sighting, spare: { result: 'skipped', because: notProven } };
  return { ...sighting, spare: sighting.isOwn ? null : { result: 'failed', because: troubles.foreign } };
}
