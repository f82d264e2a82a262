import { answerOf } from '../../diagnose/explain/answer.js';
import type { AwaitedTools } from '../../diagnose/graph/tool-branches.js';
import type { Judgement } from '../../diagnose/judge.js';
import { addStacks, stackTargets } from '../../diagnose/stacks/code-place.js';
import type { ProcessStacks } from '../../model/facts/stack.js';
import type { WhyAnswer } from '../../model/verdict.js';
import { readDialled, readStacks } from '../../probe/stacks.js';

/**
 * The answer about live processes, with the code they are in, which is added to the snapshot too. `asked`: what tools
 * and runtimes reported about processes whose memory does not show it. `awaited`: the tools that the agent in the tree
 * waits for.
 */
export function answerLive(
  judgement: Judgement,
  awaited: AwaitedTools | null = null,
  asked: readonly ProcessStacks[] = [],
): WhyAnswer {
  const { snapshot } = judgement.view;
  const isReadable = snapshot.probe === 'linux' && !snapshot.absent.some(({ source }) => source === 'mem');
  if (isReadable) {
    const targets = stackTargets(judgement);
    snapshot.stacks = readStacks(targets);
    snapshot.dialled = readDialled(targets);
  }
  addStacks(snapshot, asked);
  return answerOf(judgement, awaited);
}
