import type { Member, MemberScan } from '../../probe/members.js';
import { createSender, type Send, type SendOutcome } from './send-signal.js';

export interface Forwarded {
  pid: number;
  startTicks: number;
  signal: NodeJS.Signals;
  outcome: SendOutcome;
}

/**
 * Signals of a terminal. They go to the session of the command: a process with a session of its own has left the
 * terminal on purpose. A terminal would leave out background groups as well, but those come from job control, which a
 * run does not have. A program that makes a group here (timeout, ninja) is part of what was interrupted.
 */
const terminalSignals: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGWINCH']);

/** After these signals a stopped process gets SIGCONT. Otherwise it would never handle them. */
const endingSignals: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGTERM']);

/** These concern the whole tree. Others (USR1, ALRM …) mean something to the command alone, as `kill` sends them. */
const treeSignals: ReadonlySet<string> = new Set(['SIGTERM', 'SIGSTOP', 'SIGCONT']);

function addressees(members: readonly Member[], leader: number, signal: NodeJS.Signals): readonly Member[] {
  if (treeSignals.has(signal)) return members;
  if (!terminalSignals.has(signal)) return members.filter(({ pid }) => pid === leader);
  // The command itself may have been read before it made its session.
  const isMeant = ({ pid, session }: Member) => session === leader || pid === leader;
  // The command has no session of its own, or only processes that have left it remain. All of them get the signal.
  return members.some(({ session }) => session === leader) ? members.filter(isMeant) : members;
}

/** Passes a signal that was meant for the run to its processes, once each, parents before their children. */
export function forward(
  scan: MemberScan,
  signal: NodeJS.Signals,
  send: Send = createSender(scan.shim),
): Forwarded[] {
  const live = scan.scan({ fresh: true }).filter(({ ended }) => !ended);
  return addressees(live, scan.leader.pid, signal)
    .toSorted((a, b) => a.startTicks - b.startTicks || a.pid - b.pid)
    .flatMap((member) => {
      const wakes = member.state === 'T' && endingSignals.has(signal);
      const signals: NodeJS.Signals[] = wakes ? [signal, 'SIGCONT'] : [signal];
      return signals.map((sent) => ({
        pid: member.pid,
        startTicks: member.startTicks,
        signal: sent,
        outcome: send(member, sent),
      }));
    });
}
