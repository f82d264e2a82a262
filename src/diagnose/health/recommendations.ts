import type { VerdictKind } from '../../model/verdict.js';
import type { TransitionName } from './transitions.js';
import { type Sentence, type Subject, verdictOf } from './words.js';

export function recommendationOf(subject: Subject): string {
  if (subject.needsAnswer) return choice(subject.verdict?.next) || 'answer it';
  return recommendations[subject.transition](subject);
}

const recommendations: Record<TransitionName, Sentence> = {
  proven: (subject) =>
    choice(verdictOf(subject)?.next) || haltedRemedies[subject.proof?.kind ?? 'unknown'] || 'stop it',
  seen: (subject) => choice(verdictOf(subject)?.next) || 'check it, then stop it',
  'only-stuck-parts': stopParts,
  'stuck-part': stopParts,
  'expected-output': careful,
  'expected-end': careful,
  'refused-long': (subject) => choice(subject.verdict?.next),
  refused: firstStep,
  young: () => '',
  'never-so-silent': careful,
  'never-so-long': careful,
  'unusual-silence': firstStep,
  'unusual-duration': firstStep,
  printing: () => '',
  quiet: () => '',
  resting: () => '',
  active: () => '',
  ticking: firstStep,
  waiting: firstStep,
  hidden: firstStep,
  unanswered: (subject) => `${firstStep(subject) || 'check the other side'}, or stop it and try again`,
  connected: firstStep,
  // The two would contradict each other.
  stalled: (subject) =>
    /it cannot go on/.test(firstStep(subject))
      ? firstStep(subject)
      : `nothing proves that it cannot go on: ${firstStep(subject) || 'check it'}, then stop it`,
  stalling: careful,
  idle: careful,
  silent: () => '',
};

const haltedRemedies: Partial<Record<VerdictKind, string>> = {
  zombie: 'stop the run: the command itself is over',
  stopped: 'let it go on with SIGCONT, or stop it',
};

function stopParts({ parts }: Subject): string {
  return parts
    .map(({ end, inside }) =>
      inside === undefined ? `stop that part only: kill ${end.pid}` : `stop that process: kill ${end.pid}`,
    )
    .join(', ');
}

function firstStep({ verdict }: Subject): string {
  return verdict?.next[0] ?? '';
}

function careful(subject: Subject): string {
  return firstStep(subject) || 'check it before you stop it: it may still go on';
}

function choice(steps: string[] | undefined): string {
  return (steps ?? []).join(', or ');
}
