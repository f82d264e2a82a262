import type { OperationOutput } from '../control/operations/table.js';
import type { ToolContext } from './tool.js';
import { type WaitRequest, waitMore, waitSMax } from './wait-more.js';

const something = '/\\S/';

/**
 * Waits until it has said something new and then nothing more. Silence alone is no news: it may have been quiet for
 * long when it got its answer, and whoever waits again has heard of it.
 */
export async function waitUntilQuiet(
  context: Pick<ToolContext, 'session' | 'signal' | 'tellProgress'>,
  { timeoutS = waitSMax, until = [], ...request }: WaitRequest,
): Promise<OperationOutput<'wait'>> {
  const { quietS, ...which } = request;
  const others = until.filter((wakeUp) => wakeUp !== 'quiet');
  const first = await waitMore(context, { ...which, timeoutS, until: others, match: something });
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
