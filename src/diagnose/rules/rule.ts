import type { Certainty, VerdictKind } from '../../model/verdict.js';
import type { Cause, CauseKind } from '../graph/cause.js';
import type { Task, View } from '../graph/view.js';

type CauseOf<K extends CauseKind> = Extract<Cause, { kind: K }>;

/** A cause: how it is detected, its verdict and how much it proves. */
export interface Rule<K extends CauseKind> {
  verdict: VerdictKind | ((cause: CauseOf<K>) => VerdictKind);
  /** Where several ends can be reached, the lowest rank is the answer. */
  rank: number;
  /** How far the evidence goes at best; the judge lowers it where evidence is missing. */
  certainty: Certainty | ((cause: CauseOf<K>, task: Task, view: View) => Certainty);
  /** The event may come or never come: nothing in the snapshot promises it. */
  onlyPossible?: true;
  /** For causes that show in the thread itself, whatever it waits for. */
  detect?(task: Task, view: View): CauseOf<K> | null;
}

/** Ranks by importance to the user: progress, then what blocks it, then what is merely idle. */
export const rank = {
  progress: 10,
  proof: 20,
  halted: 30,
  input: 40,
  lock: 50,
  network: 60,
  timer: 70,
  event: 80,
  conversation: 85,
  idle: 90,
  supply: 92,
  signal: 95,
  unclear: 100,
  /** Last: it excuses silence, and must not excuse the silence of another process. */
  hidden: 110,
} as const;
