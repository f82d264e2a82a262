import { answerOf } from '../diagnose/explain/answer.js';
import { judge } from '../diagnose/judge.js';
import { refineVerdict } from '../diagnose/screen/refine-by-screen.js';
import { Failure } from '../model/failure.js';
import type { ScreenClaim } from '../model/screen-claim.js';
import type { Snapshot } from '../model/snapshot.js';
import type { WhyAnswer } from '../model/verdict.js';

/** What a snapshot says; pure, so that a saved one is judged like a live one. */
export function whySnapshot(snapshot: Snapshot, screen?: ScreenClaim): WhyAnswer {
  const judgement = judge(snapshot);
  if (judgement === null) {
    throw new Failure(
      'process-ended',
      `process ${snapshot.targetPid} ended while it was being read`,
      'ask again, or ask about its parent',
    );
  }
  const answer = answerOf(judgement);
  return screen === undefined ? answer : { ...answer, verdict: refineVerdict(answer.verdict, screen) };
}
