import { isAbsent } from '../../model/facts/absence.js';
import type { Stream } from '../../model/run/run.js';
import { readLink } from '../../probe/machine.js';
import { commandLineOf, programName, readChildren, readRow } from '../../probe/processes.js';
import { createSender } from '../stop/send-signal.js';

export interface Drain {
  pid: number;
  startTicks: number;
  /** Ends with the file it writes to; empty: not known. */
  target: string;
}

/** The cats (or tees) of the shim. They are in the shim's session; the command is not. */
export function drainsOf(shim: number): Drain[] {
  const drains: Drain[] = [];
  const queue = [shim];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    const children = readChildren(pid);
    for (const child of isAbsent(children) ? [] : children) {
      const row = readRow(child);
      if (isAbsent(row) || row.session !== shim) continue;
      queue.push(child);
      const name = programName(child);
      if (name !== 'cat' && name !== 'tee') continue;
      drains.push({ pid: child, startTicks: row.startTicks, target: targetOf(child, name) });
    }
  }
  return drains;
}

/** tee has its log as the last argument. */
function targetOf(pid: number, name: 'cat' | 'tee'): string {
  if (name === 'tee') return commandLineOf(pid) ?? '';
  const target = readLink(`/proc/${pid}/fd/1`);
  return isAbsent(target) ? '' : target;
}

/**
 * Ends the drain of one stream of the command (by SIGUSR1, as the shim expects it), so that the next write meets a
 * broken pipe. `command | head` has the same effect on a command.
 */
export function stopDraining(shim: number, stream: Stream): void {
  const send = createSender(shim);
  const other = stream === 'stdout' ? 'stderr.log' : 'stdout.log';
  for (const drain of drainsOf(shim)) if (!drain.target.endsWith(other)) send(drain, 'SIGUSR1');
}
