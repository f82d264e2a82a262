import { background } from '../../control/background.js';
import type { ToolAnswer } from '../answer.js';
import type { WaitContext } from '../wait-more.js';
import { waitUntilQuiet } from '../wait-until-quiet.js';
import { formatWait } from './format-wait.js';

/** Output after an answer comes soon; then the command asks the next question or is quiet. */
const followS = 3;
const quietS = 0.3;

/** Types an answer and returns what follows: one call per question. */
export async function typeAnswer(
  which: { id: string; owner?: string },
  data: string,
  context: WaitContext,
  timeoutS = followS,
): Promise<ToolAnswer> {
  const { delivered } = await background.submit({ ...which, data }, { signal: context.signal });
  const answer = formatWait(
    await waitUntilQuiet(context, { ...which, timeoutS, quietS, until: ['needs-input', 'stuck'] }),
  );
  return {
    ...answer,
    data: { ...answer.data, delivered },
    message: delivered
      ? answer.message
      : `It may not have read the answer yet; the answer is kept for it. ${answer.message}`,
  };
}
