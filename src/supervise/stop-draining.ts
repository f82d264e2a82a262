import { isAbsent } from '../model/absence.js';
import type { Stream } from '../model/run.js';
import { readChildren } from '../probe/linux/children.js';
import { readLink } from '../probe/linux/proc-file.js';
import { readRow } from '../probe/linux/process-row.js';
import { programName } from '../probe/linux/program-name.js';
import { createSender } from './terminate/send-signal.js';

/** The processes of the shim itself: they are in its session, the command is not. */
function ownProcesses(keeper: number): { pid: number; startTicks: number }[] {
  const found: { pid: number; startTicks: number }[] = [];
  const queue = [keeper];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    const children = readChildren(pid);
    for (const child of isAbsent(children) ? [] : children) {
      const row = readRow(child);
      if (isAbsent(row) || row.session !== keeper) continue;
      found.push({ pid: child, startTicks: row.startTicks });
      queue.push(child);
    }
  }
  return found;
}

/**
 * Ends whoever drains a stream of the command (by SIGUSR1, as the shim expects it), so that its next write meets a
 * broken pipe: what `command | head`
 * does to a command without us.
 */
export function stopDraining(keeper: number, stream: Stream): void {
  const send = createSender(keeper);
  for (const process of ownProcesses(keeper)) {
    if (programName(process.pid) !== 'cat') continue;
    const target = readLink(`/proc/${process.pid}/fd/1`);
    const other = stream === 'stdout' ? 'stderr.log' : 'stdout.log';
    if (!isAbsent(target) && !target.endsWith(other)) send(process, 'SIGUSR1');
  }
}
