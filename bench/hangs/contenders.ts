import { type JudgeName, judgeWords } from './judges.js';
import type { SavedCase, SavedRun } from './saved-run.js';
import type { Score } from './score.js';

/** A row of the tables and of the chart: one judge in one run. */
export interface Contender {
  words: string;
  judge: JudgeName;
  score: Score;
  /** Those that did what they are about. */
  cases: SavedCase[];
  /** By which its time constants were divided. */
  factor: number;
}

/** Everybody who judged one run, Unstuck first. */
export function contendersOf({ scores, cases, scale }: SavedRun): Contender[] {
  return scores.map((score) => ({
    words: judgeWords[score.judge],
    judge: score.judge,
    score,
    cases: cases.filter(({ broken }) => broken === null),
    factor: scale.factor,
  }));
}

/** Two runs at a glance: all of the first, and Unstuck without the rights of root right below Unstuck. */
export function withNormalUser(run: SavedRun, asUser: SavedRun): Contender[] {
  const [ours, ...others] = contendersOf(run);
  const [again] = contendersOf(asUser);
  return [ours, again && { ...again, words: `${again.words}, as a normal user` }, ...others].filter(
    (contender) => contender !== undefined,
  );
}
