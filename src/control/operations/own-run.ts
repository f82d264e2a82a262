import * as z from 'zod/mini';
import { Failure } from '../../model/failure.js';
import type { BackgroundRun } from '../../supervise/background/background-run.js';
import type { Registry } from '../../supervise/background/registry.js';
import { runId, short } from './fields.js';

/** Which run is meant, and on whose behalf. */
export const ownRun = {
  id: runId,
  /** Only when it belongs to this owner, or to nobody; without it, whosever it is. */
  owner: z.optional(short),
};

interface OwnRun {
  id: string;
  owner?: string | undefined;
}

/** Throws a Failure when there is no such run, or when it is somebody else's. */
export function findRun(registry: Registry, { id, owner }: OwnRun): BackgroundRun {
  const run = registry.get(id);
  const whose = run.record.background.owner;
  if (owner === undefined || whose === null || whose === owner) return run;
  throw new Failure('not-yours', `${run.id} belongs to ${whose}`, 'ask for the runs of all if it is meant');
}
