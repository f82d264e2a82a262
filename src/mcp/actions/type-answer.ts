import { background } from '../../control/background.js';
import type { Told } from '../answer.js';
import type { ToolContext } from '../tool.js';
import { waitUntilQuiet } from '../wait-until-quiet.js';
import { toldWait } from './told-wait.js';

/** What it says to an answer comes soon; then it asks the next thing, or is quiet. */
const lookS = 3;
const quietS = 0.3;

/** Types an answer, and says what came of it: one call for each question. */
export async function typeAnswer(
  which: { id: string; owner?: string },
  data: string,
  context: Pick<ToolContext, 'session' | 'signal' | 'tellProgress'>,
  timeoutS = lookS,
): Promise<Told> {
  const { delivered } = await background.submit({ ...which, data }, { signal: context.signal });
  const told = toldWait(
    await waitUntilQuiet(context, { ...which, timeoutS, quietS, until: ['needs-input', 'stuck'] }),
  );
  return {
    ...told,
    data: { ...told.data, delivered },
    text: delivered ? told.text : `It may not have read that yet; it is kept for it.\n${told.text}`,
  };
}
