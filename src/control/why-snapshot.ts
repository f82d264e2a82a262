import { answerOf } from '../diagnose/explain/answer.js';
import { type Judgement, judge } from '../diagnose/judge.js';
import { refineVerdict } from '../diagnose/screen/refine-by-screen.js';
import type { Snapshot } from '../model/facts/snapshot.js';
import { Failure } from '../model/failure.js';
import type { ScreenClaim } from '../model/run/screen-claim.js';
import type { WhyAnswer } from '../model/verdict.js';
import { answerLive } from '../run/stop/answer-live.js';

/** Judges a snapshot. Pure, so a saved snapshot is judged like a live one. */
export function whySnapshot(snapshot: Snapshot): WhyAnswer {
  return answerOf(judgeOrFail(snapshot));
}

/** The same for live processes, with the code they are in and what their terminal shows. */
export function whyLive(snapshot: Snapshot, screen?: ScreenClaim): WhyAnswer {
  const answer = answerLive(judgeOrFail(snapshot));
  return screen === undefined ? answer : { ...answer, verdict: refineVerdict(answer.verdict, screen) };
}

function judgeOrFail(snapshot: Snapshot): Judgement {
  const judgement = judge(snapshot);
  if (judgement === null) {
    throw new Failure(
      'process-ended',
      `process ${snapshot.targetPid} ended while it was being read`,
      'run it again, or ask about its parent: unstuck why PID',
    );
  }
  return judgement;
}
