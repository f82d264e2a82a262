import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../model/facts/absence.js';
import { readText } from '../../probe/machine.js';
import type { Member, MemberScan } from '../../probe/members.js';
import { parseStatus } from '../../probe/processes.js';
import { createSender, type Send } from './send-signal.js';

/** How long a handler of SIGTSTP may take to put its terminal in order. */
const handlerMs = 200;

const maskOfTstp = 1n << 19n;

/**
 * Stops a tree as Ctrl-Z does. The command's session has no shell, so the kernel ignores the default action of SIGTSTP
 * there: processes without a handler get SIGSTOP. A handler runs, and then its process is stopped if it has not stopped
 * itself. A process that ignores SIGTSTP goes on.
 */
export async function pauseTree(scan: MemberScan, send: Send = createSender(scan.shim)): Promise<void> {
  const live = scan.scan({ fresh: true }).filter(({ ended }) => !ended);
  const handling: Member[] = [];
  for (const member of live) {
    const manner = mannerOf(member.pid);
    if (manner === 'handles') handling.push(member);
    if (manner !== 'ignores') send(member, manner === 'handles' ? 'SIGTSTP' : 'SIGSTOP');
  }
  if (handling.length === 0) return;
  await delay(handlerMs);
  for (const member of handling) send(member, 'SIGSTOP');
}

function mannerOf(pid: number): 'handles' | 'ignores' | 'stops' {
  const text = readText(`/proc/${pid}/status`);
  const status = isAbsent(text) ? null : parseStatus(text);
  if (status === null) return 'stops';
  if ((BigInt(`0x${status.caught}`) & maskOfTstp) !== 0n) return 'handles';
  return (BigInt(`0x${status.ignored}`) & maskOfTstp) !== 0n ? 'ignores' : 'stops';
}
