import { certainties, type Verdict, type VerdictKind } from '../model/verdict.js';

/**
 * Whether a silent process may be killed for what it does. It stays if it goes on by itself (`working`, `timer`), if
 * another process may wake it (`network`, `lock`, `event`), if it rests on purpose (`service`), or if its state is not
 * known.
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
