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

const hangs = 'this is where it hangs';

/** What the end of a chain is, by the kind of the verdict. */
export const endMarks: Record<VerdictKind, string> = {
  working: 'this is what works',
  timer: 'this is what it waits for',
  network: 'this is what it waits for',
  'needs-input': hangs,
  lock: 'this is what it waits for',
  deadlock: hangs,
  asleep: hangs,
  service: 'this is what it waits for',
  event: 'this is what it waits for',
  stopped: hangs,
  zombie: 'this one has ended',
  frozen: hangs,
  starved: 'this one gets no CPU',
  spinning: 'this one spins',
  lingering: 'this is what it waits for',
  unknown: 'this is as far as we can see',
};

/** Whether a wait of this kind does not end by itself. */
export const isHang = (kind: VerdictKind) => endMarks[kind] === hangs;
