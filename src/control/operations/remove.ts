import * as z from 'zod/mini';
import { Failure } from '../../model/failure.js';
import { killOutput, killRun } from './kill.js';
import { ambiguous } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';

const endMsMax = 5000;

export const remove = operation({
  name: 'remove',
  summary: 'forget an ended run and delete its files',
  input: z.strictObject({
    ...ownRun,
    /** Stop it first when it has not ended. */
    force: z._default(z.boolean(), false),
  }),
  output: z.object({ id: z.string(), removed: z.literal(true), killed: z.nullable(killOutput), ambiguous }),
  handle: onRun(async (run, { force }, { registry, requestId }) => {
    const isLive = () => run.status === 'running' || run.isOutputHeld;
    // A place that never comes back cannot be asked to stop anything.
    if (force && run.status === 'running' && run.giveUp()) await run.untilEnded(endMsMax);
    const killed = force && isLive() ? await killRun(run, requestId, { registry }) : null;
    if (isLive()) {
      const what =
        run.status === 'running' ? 'has not ended' : 'has ended, but a process holds its output open';
      throw new Failure('run-live', `${run.id} ${what}`, 'stop it first: add --force, or unstuck kill');
    }
    if (registry.isDelivering(run)) {
      throw new Failure(
        'run-live',
        `notices of ${run.id} are still being delivered`,
        'try again in a moment',
      );
    }
    registry.remove(run);
    return { id: run.id, removed: true as const, killed };
  }),
});
