import { type Certainty, type VerdictKind, weaker } from '../../model/verdict.js';
import { ruleFor } from '../rules/index.js';
import type { Cause } from './cause.js';
import { rank } from './cause.js';
import type { End } from './explore.js';
import type { View } from './view.js';

/** An end that may become the verdict. */
export interface Candidate {
  end: End;
  kind: VerdictKind;
  rank: number;
  certainty: Certainty;
}

/** The verdict, and all ends it was chosen from. */
export type Chosen = Candidate & { all: Candidate[] };

const optionalPenalty = 100;

/** A derived cause matters only where nothing more specific lies behind it; a file lock always does. */
function derivedRank({ kind }: Cause): number {
  if (kind === 'file-lock') return rank.lock;
  return kind === 'stdin' ? rank.supply : rank.conversation;
}

export function candidate(view: View, end: End): Candidate {
  const { verdict, rank: own, certainty } = ruleFor(end.cause, end.task, view);
  const named = end.strength === 'derived' ? Math.max(own, derivedRank(end.cause)) : own;
  const believed = end.strength === 'derived' ? weaker(certainty, 'high') : certainty;
  return {
    end,
    kind: verdict,
    certainty: believed,
    rank: named + (end.strength === 'optional' ? optionalPenalty : 0),
  };
}

/** Lowest rank first; among busy threads the busiest; otherwise the thread reached first. */
export function best(candidates: readonly Candidate[]): Candidate | undefined {
  const weight = ({ end }: Candidate): number => (end.cause.kind === 'computing' ? end.cause.ranMs : 0);
  return candidates.reduce<Candidate | undefined>((chosen, next) => {
    if (chosen === undefined || next.rank < chosen.rank) return next;
    return next.rank === chosen.rank && weight(next) > weight(chosen) ? next : chosen;
  }, undefined);
}
