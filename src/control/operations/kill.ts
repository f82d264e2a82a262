import * as z from 'zod/mini';
import type { BackgroundRun } from '../../supervise/background/background-run.js';
import { exit, runId } from './fields.js';
import { operation } from './operation.js';

export const killOutput = z.object({
  id: z.string(),
  /** already-exited: nothing of it was left to stop. */
  status: z.enum(['killed', 'already-exited']),
  exit: z.optional(exit),
  /** Who was signalled, and who is left; null: nobody was. */
  receipt: z.nullable(z.unknown()),
});

export const kill = operation({
  name: 'kill',
  summary: 'stop a run with everything it started',
  input: z.strictObject({
    id: runId,
    /** Between SIGTERM and SIGKILL; without it that of the run. */
    graceS: z.optional(z.number().check(z.minimum(0), z.maximum(3600))),
  }),
  output: killOutput,
  handle: ({ id, graceS }, { registry, requestId }) => killRun(registry.get(id), requestId, graceS),
});

/** `graceS` not given: as the run was told when it was started. */
export async function killRun(
  run: BackgroundRun,
  requestId: string,
  graceS?: number,
): Promise<z.input<typeof killOutput>> {
  const killed = await run.kill(requestId, graceS === undefined ? run.settings.graceMs : graceS * 1000);
  const { exit: ended } = run;
  return {
    id: run.id,
    status: killed === null ? 'already-exited' : 'killed',
    ...(ended !== null && { exit: ended }),
    receipt: killed?.receipt ?? null,
  };
}
