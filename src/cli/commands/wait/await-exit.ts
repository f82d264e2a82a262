import { setTimeout as delay } from 'node:timers/promises';
import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { endNotRecorded, exitWords } from '../../../model/run/run.js';
import type { Call } from '../../shared/call.js';

/** A reader of its own, so that other readers miss nothing because we wait. */
const reader = 'unstuck-follow';
const retryMs = 500;

/** Waits until a run is over, across restarts of the daemon. null: the run no longer exists. */
export async function awaitExit(
  call: Call,
  id: string,
  signal: AbortSignal,
): Promise<OperationOutput<'wait'> | null> {
  for (;;) {
    try {
      const output = await call('wait', { id, until: ['exit'], reader }, { signal });
      if (output.status === 'exited' || output.status === 'lost') return output;
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      if (error.code === 'no-such-run') return null;
      if (error.code !== 'no-daemon') throw error;
      await delay(retryMs, undefined, { signal });
    }
  }
}

/** The exit code of the run; 125 when it is not known. */
export function codeOf(output: Pick<OperationOutput<'wait'>, 'exit'> | null): number {
  return output?.exit?.code ?? 125;
}

/** `api (ab12) has ended: exit 1`. */
export function endedLine(name: string, output: OperationOutput<'wait'> | null): string {
  if (output?.status !== 'exited') return `${name} is lost: ${endNotRecorded}`;
  return `${name} has ended: ${exitWords(output.exit)}`;
}
