import { setTimeout as delay } from 'node:timers/promises';
import type { Member, MemberScan } from '../../probe/members.js';
import { createSender, type Send } from './send-signal.js';

/** How long to look for new processes and for processes that have not stopped yet. */
const settleMsMax = 2000;
const pollMs = 10;
/** Consecutive scans without a new process. */
const calmScans = 2;

const isLive = ({ ended }: Member) => !ended;
const isStopped = ({ state }: Member) => state === 'T' || state === 't';

/**
 * Stops every process of a tree with SIGSTOP. A process may have started another one before it was stopped, so the tree
 * is scanned until nothing is new. false: not every process could be read.
 */
export function freezeTree(scan: MemberScan, send: Send = createSender(scan.shim)): Promise<boolean> {
  return untilCalm(scan, (members) => {
    const due = members.filter((member) => !isStopped(member));
    for (const member of due) send(member, 'SIGSTOP');
    return due.length;
  });
}

/** Lets every stopped process of a tree go on. */
export function continueTree(scan: MemberScan, send: Send = createSender(scan.shim)): Promise<boolean> {
  return untilCalm(scan, (members) => {
    const due = members.filter(isStopped);
    // Children first: a parent that goes on may look at them.
    for (const member of due.toSorted((a, b) => b.startTicks - a.startTicks)) send(member, 'SIGCONT');
    return due.length;
  });
}

/** `act` returns how many processes still had to be signalled. */
async function untilCalm(scan: MemberScan, act: (members: readonly Member[]) => number): Promise<boolean> {
  const untilMs = performance.now() + settleMsMax;
  for (let calm = 0; calm < calmScans && performance.now() < untilMs; ) {
    const isCalm = act(scan.scan({ fresh: true }).filter(isLive)) === 0;
    calm = isCalm ? calm + 1 : 0;
    if (!isCalm) await delay(pollMs);
  }
  return scan.isWhole;
}
