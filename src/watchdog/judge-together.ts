import { judge } from '../diagnose/judge.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Snapshot } from '../model/facts/snapshot.js';
import type { Verdict } from '../model/verdict.js';
import { takeSnapshots } from '../probe/snapshots.js';
import { answerLive } from '../run/stop/answer-live.js';

interface Question {
  who: ProcessIdentity;
  answer(verdict: Verdict | null): void;
}

let questions: Question[] = [];

/** What a process is doing. Requests of the same turn are read together. null: it is gone, or could not be read. */
export function judgeTogether(who: ProcessIdentity): Promise<Verdict | null> {
  if (questions.length === 0) setImmediate(judgeAll);
  return new Promise((answer) => {
    questions.push({ who, answer });
  });
}

function judgeAll(): void {
  const asked = questions;
  questions = [];
  const snapshots = takeSnapshots(asked.map(({ who }) => who.pid));
  for (const [index, { who, answer }] of asked.entries()) {
    Promise.resolve(snapshots[index])
      .then((snapshot) => verdictOn(who, snapshot))
      .catch(() => null)
      .then(answer);
  }
}

function verdictOn({ startTicks }: ProcessIdentity, snapshot: Snapshot | undefined): Verdict | null {
  const judgement = snapshot === undefined ? null : judge(snapshot);
  if (judgement === null) return null;
  const { target, verdict } = answerLive(judgement);
  // The pid was reused, so the verdict is about another process.
  return target.startTicks === startTicks ? verdict : null;
}
