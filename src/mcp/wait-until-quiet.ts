import type { OperationOutput } from '../control/operations/table.js';
import { type WaitContext, type WaitRequest, waitMore, waitSMax } from './wait-more.js';

const anyText = '/\\S/';

/**
 * Waits for new output and then for silence. Silence alone is not enough: the command may have been silent long before
 * it got its answer.
 */
export async function waitUntilQuiet(
  context: WaitContext,
  { timeoutS = waitSMax, until = [], ...request }: WaitRequest,
): Promise<OperationOutput<'wait'>> {
  const { quietS, ...which } = request;
  const others = until.filter((wakeUp) => wakeUp !== 'quiet');
  const first = await waitMore(context, { ...which, timeoutS, until: others, match: anyText });
  if (first.status !== 'match') return first;
  const rest = await waitMore(context, {
    ...request,
    timeoutS: Math.max(0, Math.min(timeoutS, waitSMax) - first.waitedS),
    until: [...others, 'quiet'],
  });
  return {
    ...rest,
    waitedS: first.waitedS + rest.waitedS,
    output: first.output + rest.output,
    omitted: first.omitted + rest.omitted,
    clamped: first.clamped,
  };
}
