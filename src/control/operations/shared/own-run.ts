import * as z from 'zod/mini';
import { Failure } from '../../../model/failure.js';
import type { BackgroundRun } from '../../../registry/background-run.js';
import type { Registry } from '../../../registry/registry.js';
import { runId, short } from './fields.js';

/** Selects a run, optionally for an owner. */
export const ownRun = {
  id: runId,
  /** Only if the run belongs to this owner or has none; default: any owner. */
  owner: z.optional(short),
};

interface OwnRun {
  id: string;
  owner?: string | undefined;
}

/** Throws a Failure when there is no such run, or when it belongs to another owner. */
export function findRun(registry: Registry, { id, owner }: OwnRun): BackgroundRun {
  const run = registry.get(id);
  const runOwner = run.record.background.owner;
  if (owner === undefined || runOwner === null || runOwner === owner) return run;
  throw new Failure(
    'not-yours',
    `${run.id} belongs to ${runOwner}`,
    'to use it all the same, leave out the owner, or add "all": true in MCP',
  );
}
