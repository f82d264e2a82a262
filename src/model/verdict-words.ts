import type { VerdictKind } from './verdict.js';

/** The name of each kind in messages. */
export const kindWords: Record<VerdictKind, string> = {
  working: 'working',
  timer: 'waiting for a timer',
  network: 'waiting for the network',
  'needs-input': 'needs input',
  lock: 'waiting for a file lock',
  deadlock: 'deadlock',
  asleep: 'asleep for ever',
  service: 'service, idle',
  event: 'waiting for an event',
  stopped: 'stopped',
  zombie: 'zombie',
  frozen: 'frozen',
  starved: 'starved of CPU',
  spinning: 'spinning',
  lingering: 'lingering',
  unknown: 'unknown',
};
