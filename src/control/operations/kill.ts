import * as z from 'zod/mini';
import type { BackgroundRun } from '../../registry/background-run.js';
import type { Registry } from '../../registry/registry.js';
import { ambiguous, exit } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { receipt } from './shared/run-facts.js';

/** Seconds between SIGTERM and SIGKILL; default: that of the run. */
export const graceS = z.optional(z.number().check(z.minimum(0), z.maximum(3600)));

export const killOutput = z.object({
  id: z.string(),
  label: z.string(),
  /** already-exited: no process of it was left to stop. */
  status: z.enum(['killed', 'already-exited']),
  exit: z.optional(exit),
  /** Which processes were signalled and which are left; null: none was signalled. */
  receipt: z.nullable(receipt),
});

export const kill = operation({
  name: 'kill',
  summary: 'stop a run with everything it started',
  input: z.strictObject({
    ...ownRun,
    graceS,
  }),
  output: z.extend(killOutput, { ambiguous }),
  handle: onRun((run, { graceS: grace }, { requestId, registry }) =>
    // Of a run that is started again and again, any of its ids means the one that lives.
    killRun(registry.restarts.latestOf(run), requestId, { grace, registry }),
  ),
});

interface KillManner {
  /** In seconds; default: the grace time the run was started with. */
  grace?: number | undefined;
  registry: Registry;
}

/** Stops a run, and its restarts. */
export async function killRun(
  run: BackgroundRun,
  requestId: string,
  { grace, registry }: KillManner,
): Promise<z.input<typeof killOutput>> {
  registry.restarts.callOff(run, 'it was stopped on request');
  const killed = await run.acts.kill(requestId, grace === undefined ? run.settings.graceMs : grace * 1000);
  const { exit: ended } = run;
  return {
    id: run.id,
    label: run.record.label,
    status: killed === null ? 'already-exited' : 'killed',
    ...(ended !== null && { exit: ended }),
    receipt: killed?.receipt ?? null,
  };
}
