import * as z from 'zod/mini';
import { Failure } from '../../../model/failure.js';
import type { Ambiguous } from '../../../model/operations/outputs.js';
import type { BackgroundRun } from '../../../registry/background-run.js';
import { type FoundRun, isOpenTo } from '../../../registry/find-runs.js';
import { runId, short } from './fields.js';
import type { OperationContext } from './operation.js';

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
export function findRun({ registry, requestId }: OperationContext, { id, owner }: OwnRun): FoundRun {
  const found = registry.find({ id, owner, requestId });
  const runOwner = found.run.record.background.owner;
  if (isOpenTo(runOwner, owner)) return found;
  throw new Failure(
    'not-yours',
    `${found.run.id} belongs to ${runOwner}`,
    'to use it all the same, leave out the owner, or add "all": true in MCP',
  );
}

/** The handler of an operation on one run. Its answer says when the label fits several runs. */
export function onRun<Input extends OwnRun, Output extends object>(
  act: (
    run: BackgroundRun,
    rest: Omit<Input, keyof OwnRun>,
    context: OperationContext,
  ) => Promise<Output> | Output,
): (input: Input, context: OperationContext) => Promise<Output & { ambiguous?: Ambiguous }> {
  return async ({ id, owner, ...rest }, context) => {
    const { run, ambiguous } = findRun(context, { id, owner });
    const answer = await act(run, rest, context);
    return ambiguous === null ? answer : { ...answer, ambiguous };
  };
}
