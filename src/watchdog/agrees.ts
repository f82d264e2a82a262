import { certainties, type Verdict, type VerdictKind } from '../model/verdict.js';

/**
 * Whether a silent process may be killed for what it does. It goes on by itself (`working`, `timer`), has somebody
 * who may wake it (`network`, `lock`, `event`), rests on purpose (`service`), or nobody knows: then it stays.
 */
const mayBeKilled: Record<VerdictKind, boolean> = {
  working: false,
  timer: false,
  network: false,
  'needs-input': true,
  lock: false,
  deadlock: true,
  asleep: true,
  service: false,
  event: false,
  stopped: true,
  zombie: true,
  frozen: true,
  starved: false,
  spinning: true,
  lingering: true,
  unknown: false,
};

export function agrees({ kind, certainty }: Verdict): boolean {
  return mayBeKilled[kind] && certainties.indexOf(certainty) >= certainties.indexOf('medium');
}
