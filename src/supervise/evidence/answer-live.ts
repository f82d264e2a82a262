import { answerOf } from '../../diagnose/explain/answer.js';
import type { Judgement } from '../../diagnose/judge.js';
import { stackTargets } from '../../diagnose/stacks/code-place.js';
import type { WhyAnswer } from '../../model/verdict.js';
import { readStacks } from '../../probe/stacks/read-stacks.js';

/** The answer about living processes, with the code they stand in: it goes into the snapshot, too. */
export function answerLive(judgement: Judgement): WhyAnswer {
  const { snapshot } = judgement.view;
  const isReadable = snapshot.probe === 'linux' && !snapshot.absent.some(({ source }) => source === 'mem');
  if (isReadable) snapshot.stacks = readStacks(stackTargets(judgement));
  return answerOf(judgement);
}
